import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import next from 'next';
import { isCodedError } from '@/lib/protocol/errors';
import { createOutput } from './cli/output';
import { atPort, ConfigError, loadConfig, type Config } from './config';
import { createGate } from './gate';
import { setRuntime } from './runtime-handle';
import { startRuntime, type Runtime } from './runtime';
import { createSocketServer } from './socket';

const STOP_WITHIN_MS = 4500;
const ANSWERS_WITHIN_MS = 2500;
const WRITTEN_WITHIN_MS = 300;
const WRITTEN_POLL_MS = 10;
const READY_POLL_MS = 20;
/** Room for a key of 5,000 bytes in a path, several times encoded. */
const MAX_HEADER_BYTES = 128 * 1024;

const output = createOutput({
  out: process.stdout,
  err: process.stderr,
  isJson: () => process.argv.includes('--json'),
});

async function main(): Promise<void> {
  const wanted = loadConfig();
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES });
  let starting = 'The console is starting; ask again in a moment.';
  const answer = (request: IncomingMessage, response: ServerResponse): void =>
    answerWhileStarting(request, response, starting);
  server.on('request', answer);
  const config = atPort(wanted, await listen(server, wanted));
  const tell = (sentence: string): void => {
    starting = sentence;
    output.note(sentence);
  };
  const runtime = await startRuntime(config, tell).catch((error: unknown) => {
    throw settingOf(config, error) ?? error;
  });
  setRuntime(runtime.handle);

  // Next tells its steps by console.log; stdout is for what we say ourselves.
  console.log = console.error;
  // dist/server.js sits one folder below the project.
  const dir = dirname(dirname(fileURLToPath(import.meta.url)));
  const pages = next({ dev: false, dir, hostname: config.host, port: config.port });
  await pages.prepare();
  const render = pages.getRequestHandler();
  const gate = createGate(runtime.handle, (request, response) => render(request, response));
  server.off('request', answer);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void gate(request, response);
  });
  const sockets = createSocketServer({
    httpServer: server,
    context: runtime.context,
    handle: runtime.handle,
    onChange: runtime.onChange,
  });
  const signals = stopOnSignals(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // Who asked for something that is under way gets the answer.
    await runtime.actsAnswered(ANSWERS_WITHIN_MS);
    await sockets.close();
    await emptied(server, closed);
    await runtime.stop();
  });
  await announce(runtime, config, signals);
}

/** Until everything is built: alive and not ready, so that nobody who asks early hangs. */
function answerWhileStarting(
  request: IncomingMessage,
  response: ServerResponse,
  message: string,
): void {
  const isHealth = request.url === '/api/health';
  const body = isHealth
    ? { status: 'ok' }
    : { ready: false, reasons: ['starting'], error: { code: 'TARGET_UNAVAILABLE', message } };
  response.writeHead(isHealth ? 200 : 503, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** The sentence about a Redis or database that cannot be used, with the setting that named it. */
function settingOf(config: Config, error: unknown): ConfigError | null {
  if (!isCodedError(error)) return null;
  const { code, message, details } = error;
  if (code === 'STORE_UNAVAILABLE') {
    const setting = config.databaseUrl ? 'LOCKSCOPE_DATABASE_URL' : 'LOCKSCOPE_DATA_DIR';
    return new ConfigError(`${setting}: ${message}`);
  }
  if (code !== 'TARGET_UNAVAILABLE') return null;
  const isOtherDb = details?.['db'] !== undefined && details['db'] !== config.redis.db;
  return new ConfigError(`${isOtherDb ? 'LOCKSCOPE_DBS' : config.redis.setting}: ${message}`);
}

/** Resolves to the port that was opened: with port 0 the system chooses. */
function listen(server: Server, config: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new ConfigError(
          error.code === 'EADDRINUSE'
            ? `LOCKSCOPE_PORT: port ${config.port} is already in use on ${config.host}.`
            : `LOCKSCOPE_HOST, LOCKSCOPE_PORT: cannot listen on ${config.host}:${config.port}: ${error.message}.`,
        ),
      );
    });
    server.listen(config.port, config.host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : config.port);
    });
  });
}

/** Closes connections as their answers are written, and after a moment all of them. */
async function emptied(server: Server, closed: Promise<void>): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), WRITTEN_POLL_MS);
  const late = setTimeout(() => server.closeAllConnections(), WRITTEN_WITHIN_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

function stopOnSignals(stop: () => Promise<void>): AbortSignal {
  const stopping = new AbortController();
  const onSignal = (): void => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    stop().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return stopping.signal;
}

async function announce(runtime: Runtime, config: Config, stopping: AbortSignal): Promise<void> {
  while (!runtime.context.watch.ready) {
    if (stopping.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
  // Before the word "ready": hashing the first secret keeps the loop busy, and events would be read late.
  const link = await runtime.users.firstSignIn().catch((error: unknown) => {
    if (stopping.aborted) return null;
    throw error;
  });
  if (stopping.aborted) return;
  const blind = runtime.context.watch.status().warnings.filter(({ code }) => code === 'blind');
  const ready = {
    ready: config.listenUrl,
    signIn: link,
    blind: blind.map(({ message, remedy }) => ({ message, remedy })),
  };
  output.line(ready, () =>
    [
      ...blind.map(({ message, remedy }) => `lockscope is partly blind: ${message} ${remedy}`),
      `lockscope ready ${config.listenUrl}`,
      ...(link ? [`sign in once, within an hour: ${link}`] : []),
    ].join('\n'),
  );
}

main().catch((error: unknown) => {
  output.error(error);
  process.exit(error instanceof ConfigError ? 2 : 1);
});
