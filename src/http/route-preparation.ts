import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, RequestPayload, RouteOptions } from 'fastify';
import { type Envelope, isBodiless } from './answers/envelope.ts';
import { JSON_TYPE } from './answers/failure-answers.ts';
import { type GuardDependencies, routeGuard } from './guard.ts';
import type { ArrivalLimits } from './input/arrival-limits.ts';
import { readBody } from './input/request-body.ts';
import { writeRequestLine } from './request-log.ts';
import { stateOf } from './request-state.ts';
import type { BodyReading } from './route-access.ts';
import { type ListedRoute, publicPath, type RouteList } from './route-list.ts';

export interface RoutePreparationDependencies extends GuardDependencies {
  readonly envelope: Envelope;
  readonly routes: RouteList;
  readonly arrivals: Pick<ArrivalLimits, 'stream'>;
  /** Bytes of a request body. */
  readonly bodyLimit: number;
}

/** Maximum body of public routes in bytes. Routes that check records accept more. */
const STRANGERS_BODY_LIMIT = 262_144;

/** Completes a route with guard, body, envelope, log and counters; throws if it declares no access. */
export function prepareRoute(dependencies: RoutePreparationDependencies, options: RouteOptions): void {
  const route = describeRoute(options);
  if (route.method !== 'HEAD') dependencies.routes.add(route);

  const own = hooksOf(options.onRequest);
  options.onRequest = route.access === 'public' ? own : [routeGuard(dependencies, route, route.access), ...own];
  if (route.access === 'public' && route.body !== 'json') {
    options.bodyLimit ??= Math.min(dependencies.bodyLimit, STRANGERS_BODY_LIMIT);
  }
  if (route.body === 'stream') leaveBodyToHandler(options, dependencies.arrivals);
  options.preValidation = [
    ...(route.body === 'ignored' ? [] : [bodyReader(route.body)]),
    ...hooksOf(options.preValidation),
    ...(options.refusal === undefined ? [] : [refusalData(options.refusal)]),
  ];
  if (options.envelope !== false) wrapAnswers(dependencies.envelope, options);

  const count = dependencies.metrics.requestCounter(route.method, route.path);
  const { log } = dependencies;
  options.onResponse = [
    ...hooksOf(options.onResponse),
    (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      count(reply.statusCode);
      writeRequestLine(log, request, reply);
      done();
    },
  ];
}

function describeRoute(options: RouteOptions): ListedRoute {
  const method = Array.isArray(options.method) ? options.method.join(',') : options.method;
  if (options.access === undefined)
    throw new Error(`The route ${method} ${options.url} does not say who may call it: give it the option "access".`);
  if (Array.isArray(options.method)) throw new Error(`Register ${method} ${options.url} once for each method.`);
  const { schema = {} } = options;
  const path = publicPath(options.url, options.wildcard);
  return {
    method,
    url: options.url,
    path,
    access: options.access,
    body: options.body ?? (schema.body === undefined ? 'ignored' : 'json'),
    enveloped: options.envelope !== false,
    summary: schema.summary ?? '',
    description: schema.description ?? schema.summary ?? '',
    tag: schema.tags?.[0] ?? (path.split('/')[3] || 'root'),
    operation: schema.operationId ?? operationName(method, path),
    schema,
  };
}

/** `PUT /api/v1/hit/<id>/update` → `put_api_v1_hit_id_update`. */
function operationName(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+/g, '_')}`.replace(/_$/, '');
}

function hooksOf<T>(hooks: T | T[] | undefined): T[] {
  if (hooks === undefined) return [];
  return Array.isArray(hooks) ? hooks : [hooks];
}

const NOTHING = Buffer.alloc(0);

/** Gives the framework an empty body, so that `request.raw` is unread when the handler begins. */
function leaveBodyToHandler(options: RouteOptions, arrivals: Pick<ArrivalLimits, 'stream'>): void {
  options.bodyLimit = Number.MAX_SAFE_INTEGER;
  options.preParsing = [
    ...hooksOf(options.preParsing),
    (
      request: FastifyRequest,
      reply: FastifyReply,
      _payload: unknown,
      done: (error: null, body: RequestPayload) => void,
    ) => {
      // What a refusal leaves unread is discarded, or its caller could not finish sending and read the answer.
      reply.raw.once('finish', () => request.raw.resume());
      arrivals.stream(request.raw);
      const receivedEncodedLength = Number(request.headers['content-length'] ?? 0);
      done(null, Object.assign(Readable.from([]), { receivedEncodedLength }));
    },
  ];
}

function bodyReader(reading: BodyReading) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const bytes = Buffer.isBuffer(request.body) ? request.body : NOTHING;
    request.body = readBody(reading, request.headers['content-type'], bytes);
    done();
  };
}

function refusalData(data: unknown) {
  return (_request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    stateOf(reply).refusalData = data;
    done();
  };
}

/** Puts the data that handlers return, or pass to `reply.send`, into the envelope. */
function wrapAnswers(envelope: Envelope, options: RouteOptions): void {
  const handler = options.handler as (request: FastifyRequest, reply: FastifyReply) => unknown;
  const success = successStatus(options);
  options.handler = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.code(success);
    const data = await handler.call(undefined as never, request, reply);
    if (data === reply || reply.sent) return reply;
    return sendData(envelope, reply, data);
  };
  options.preSerialization = [
    ...hooksOf(options.preSerialization),
    (_request: FastifyRequest, reply: FastifyReply, payload: unknown, done: (error: null, text: string) => void) =>
      done(null, envelope.success(payload, reply.statusCode, stateOf(reply).warnings)),
  ];
}

/** Returns the documented status of success; 200 if there are none or several. */
function successStatus({ schema }: RouteOptions): number {
  const documented = Object.keys(schema?.response ?? {}).filter((status) => status.startsWith('2'));
  return documented.length === 1 ? Number(documented[0]) : 200;
}

function sendData(envelope: Envelope, reply: FastifyReply, data: unknown): FastifyReply {
  const status = reply.statusCode;
  reply.header('content-type', JSON_TYPE);
  if (isBodiless(status)) return reply.send();
  return reply.send(envelope.success(data, status, stateOf(reply).warnings));
}
