import { z } from 'zod';
import { ACTIONS, type ActionName } from './actions';
import { ERROR_CODES, type ErrorBody } from './errors';
import { QUERIES, type QueryName } from './queries';
import { Sentence } from './sentence';
import { CreateUserInput, Readiness, SessionView, SetPasswordInput, UserView } from './session';

const QUERY_PATHS: Record<QueryName, string> = {
  overview: '/overview',
  locks: '/locks',
  lock: '/locks/{target}/{db}/{keyB64}',
  holds: '/holds',
  classes: '/classes',
  heatmap: '/heatmap',
  'heat-cell': '/heat-cell',
  waits: '/waits',
  blame: '/blame',
  past: '/past',
  'past-lock': '/past/{target}/{db}/{keyB64}',
  advice: '/advice',
  timeouts: '/timeouts',
  configuration: '/configuration',
  history: '/history',
  deadlocks: '/deadlocks',
  chains: '/chains',
  orders: '/orders',
  alerts: '/alerts',
  alert: '/alerts/{id}',
  rules: '/rules',
  'rule-dry-run': '/rules/dry-run',
  audit: '/audit',
  targets: '/targets',
  traces: '/traces',
  trace: '/traces/{id}',
  pins: '/pins',
  libraries: '/libraries',
  discovery: '/discoveries/{id}',
  notify: '/notify',
};

const ACTION_PATHS: Record<ActionName, string> = {
  'lock.release': '/locks/{target}/{db}/{keyB64}/release',
  'lock.drop-waiter': '/locks/{target}/{db}/{keyB64}/drop-waiter',
  'lock.wake': '/locks/{target}/{db}/{keyB64}/wake',
  'lock.remove-member': '/locks/{target}/{db}/{keyB64}/remove-member',
  'lock.release-preview': '/locks/release-preview',
  'lock.release-many': '/locks/release-many',
  'alert.acknowledge': '/alerts/{id}/acknowledge',
  'alert.silence': '/alerts/{id}/silence',
  'alert.acknowledge-many': '/alerts/acknowledge-many',
  'rule.save': '/rules',
  'rule.reset': '/rules',
  'silence.add': '/silences',
  'silence.end': '/silences/{id}',
  'order.intend': '/orders/{id}/intend',
  'order.unintend': '/orders/{id}/unintend',
  'trace.start': '/traces',
  'trace.stop': '/traces/{id}/stop',
  'advice.publish': '/timeouts/publish',
  'format.pin': '/pins',
  'format.unpin': '/pins',
  'format.discover': '/discoveries',
  'format.discover-stop': '/discoveries/{id}/stop',
  'notify.save-channel': '/notify/channels',
  'notify.remove-channel': '/notify/channels/{id}',
  'notify.save-routes': '/notify/routes',
  'notify.test': '/notify/channels/{id}/test',
};

/** The others are posted. */
const METHODS: Partial<Record<ActionName, 'delete'>> = {
  'format.unpin': 'delete',
  'rule.reset': 'delete',
  'silence.end': 'delete',
  'notify.remove-channel': 'delete',
};

/** Actions that go on after their answer. */
const ACCEPTED: ReadonlySet<ActionName> = new Set(['trace.start', 'format.discover']);

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => ({
  ...z.toJSONSchema(schema, { io, target: 'openapi-3.0' }),
});

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

const namesIn = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The properties of an object's schema by name. */
const propertiesOf = ({ properties }: Json): [string, unknown][] =>
  isJson(properties) ? Object.entries(properties) : [];

function parameters(path: string, schema: Json): Json[] {
  const inPath = namesIn(path);
  return propertiesOf(schema).map(([name, property]) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    required: inPath.includes(name),
    schema: property,
  }));
}

const ErrorSchema: z.ZodType<ErrorBody> = z.object({
  error: z.object({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    sentences: z.array(Sentence).optional(),
  }),
});

const answers = (result: Json, status = 200): Json => ({
  [status]: { description: 'The answer.', ...json(result) },
  default: { description: 'An error with its code.', ...json(schemaOf(ErrorSchema, 'output')) },
});

function withoutPathNames(path: string, schema: Json): Json {
  const inPath = namesIn(path);
  const properties = propertiesOf(schema);
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return {
    ...schema,
    properties: Object.fromEntries(properties.filter(([name]) => !inPath.includes(name))),
    required: required.filter((name) => !inPath.includes(name)),
  };
}

const ROOT = { servers: [{ url: '/' }] };
const text = (...types: string[]): Json => ({
  200: {
    description: 'The answer.',
    content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
  },
  default: { description: 'An error with its code.', ...json(schemaOf(ErrorSchema, 'output')) },
});

/** What is neither a query nor an action. */
const otherPaths = (): Record<string, Json> => ({
  '/session': {
    get: { operationId: 'session', responses: answers(schemaOf(SessionView, 'output')) },
  },
  '/users': {
    get: { operationId: 'users', responses: answers(schemaOf(z.array(UserView), 'output')) },
    post: {
      operationId: 'user.create',
      description: 'Needs the role admin. Audited before and after.',
      requestBody: { required: true, ...json(schemaOf(CreateUserInput, 'input')) },
      responses: answers(schemaOf(z.array(UserView), 'output'), 201),
    },
  },
  '/account/password': {
    post: {
      operationId: 'user.set-password',
      description: 'The first password of a user who signed in by a one-time link.',
      requestBody: { required: true, ...json(schemaOf(SetPasswordInput, 'input')) },
      responses: answers(schemaOf(z.object({ ok: z.literal(true) }), 'output')),
    },
  },
  '/audit/export': {
    get: {
      operationId: 'audit.export',
      description: 'The whole audit as JSON lines, newest first.',
      responses: text('application/x-ndjson'),
    },
  },
  '/alerts/{id}/export': {
    get: {
      operationId: 'alert.export',
      description: 'A post-mortem of one alert to be pasted; as=json gives what it is made of.',
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
        {
          name: 'as',
          in: 'query',
          required: false,
          schema: { type: 'string', enum: ['markdown', 'json'] },
        },
      ],
      responses: text('text/markdown', 'application/json'),
    },
  },
  '/openapi.json': {
    get: { operationId: 'openapi', responses: answers({ type: 'object' }) },
  },
  '/api/health': {
    ...ROOT,
    get: {
      operationId: 'health',
      security: [],
      responses: answers(schemaOf(z.object({ status: z.literal('ok') }), 'output')),
    },
  },
  '/api/ready': {
    ...ROOT,
    get: {
      operationId: 'ready',
      security: [],
      responses: {
        ...answers(schemaOf(Readiness, 'output')),
        503: { description: 'Not ready, and why.', ...json(schemaOf(Readiness, 'output')) },
      },
    },
  },
  '/metrics': {
    ...ROOT,
    get: { operationId: 'metrics', responses: text('text/plain', 'application/openmetrics-text') },
  },
});

/** `Object.entries` forgets the names; a table that is written out in full has no others. */
const entriesOf = <Name extends string>(table: Readonly<Record<Name, string>>) =>
  Object.entries(table) as [Name, string][];

/** The OpenAPI 3.0 document of the REST interface, generated from the zod schemas. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const [name, path] of entriesOf(QUERY_PATHS)) {
    const { params, result } = QUERIES[name];
    paths[path] = {
      get: {
        operationId: name,
        parameters: parameters(path, schemaOf(params, 'input')),
        responses: answers(schemaOf(result, 'output')),
      },
    };
  }
  for (const [name, path] of entriesOf(ACTION_PATHS)) {
    const { input, result, role } = ACTIONS[name];
    const inputSchema = schemaOf(input, 'input');
    paths[path] = {
      ...paths[path],
      [METHODS[name] ?? 'post']: {
        operationId: name,
        description: `Needs the role ${role}. Audited before and after.`,
        parameters: parameters(path, inputSchema).filter((parameter) => parameter['in'] === 'path'),
        requestBody: { required: true, ...json(withoutPathNames(path, inputSchema)) },
        responses: answers(schemaOf(result, 'output'), ACCEPTED.has(name) ? 202 : 200),
      },
    };
  }
  Object.assign(paths, otherPaths());
  return {
    openapi: '3.0.3',
    info: { title: 'Lockscope', version: '1' },
    servers: [{ url: '/api/v1' }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'lockscope.session_token' },
      },
    },
    security: [{ bearer: [] }, { session: [] }],
    paths,
  };
}
