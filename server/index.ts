import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import next from 'next';
import { ConfigError, loadConfig, type Config } from './config';
import { createGate } from './gate';
import { setRuntime } from './runtime-handle';
import { startRuntime, type Runtime } from './runtime';
import { createSocketServer } from './socket';

const STOP_WITHIN_MS = 4500;
const READY_POLL_MS = 20;
/** Room for a key of 5,000 bytes in a path, several times encoded. */
const MAX_HEADER_BYTES = 128 * 1024;

async function main(): Promise<void> {
  const config = loadConfig();
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES });
  await listen(server, config);
  const runtime = await startRuntime(config);
  setRuntime(runtime.handle);

  // dist/server.js sits one folder below the project.
  const dir = dirname(dirname(fileURLToPath(import.meta.url)));
  const pages = next({ dev: false, dir, hostname: config.host, port: config.port });
  await pages.prepare();
  const render = pages.getRequestHandler();
  const gate = createGate(runtime.handle, (request, response) => render(request, response));
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    void gate(request, response);
  });
  const sockets = createSocketServer({
    httpServer: server,
    context: runtime.context,
    handle: runtime.handle,
    onChange: runtime.onChange,
  });
  stopOnSignals(async () => {
    await sockets.close();
    server.closeAllConnections();
    server.close();
    await runtime.stop();
  });
  await announce(runtime, config);
}

function listen(server: ReturnType<typeof createServer>, config: Config): Promise<void> {
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
    server.listen(config.port, config.host, resolve);
  });
}

function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = (): void => {
    if (isStopping) return;
    isStopping = true;
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
}

async function announce(runtime: Runtime, config: Config): Promise<void> {
  while (!runtime.context.watch.ready) {
    await new Promise((resolve) => setTimeout(resolve, READY_POLL_MS));
  }
  // Before the word "ready": hashing the first secret keeps the loop busy, and events would be read late.
  const link = await runtime.users.firstSignIn();
  const blind = runtime.context.watch.status().warnings.filter(({ code }) => code === 'blind');
  for (const { message, remedy } of blind)
    console.log(`lockscope is partly blind: ${message} ${remedy}`);
  console.log(`lockscope ready ${config.publicUrl}`);
  if (link) console.log(`sign in once, within an hour: ${link}`);
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    console.error(`lockscope: ${error.message}`);
    process.exit(2);
  }
  const isCoded = error instanceof Error && 'code' in error;
  console.error(isCoded ? `lockscope: ${error.message}` : error);
  process.exit(isCoded && error.code === 'TARGET_UNAVAILABLE' ? 2 : 1);
});
