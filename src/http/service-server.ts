import { constants } from 'node:zlib';
import fastifyCompress, { type FastifyCompressOptions } from '@fastify/compress';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { InvalidInput, NotFound } from '../errors/errors.ts';
import type { InputSchema } from '../input/input-reader.ts';
import { sortedJson } from '../json/sorted-json.ts';
import { HttpRefusal, MAX_PARAMETER_LENGTH } from './answers/error-status.ts';
import { ANSWER_HEADERS, failureAnswers } from './answers/failure-answers.ts';
import { ArrivalLimits, type ArrivalRules } from './input/arrival-limits.ts';
import { normaliseForwardedHeaders, trustedProxyTest } from './input/forwarded-headers.ts';
import { type InputWording, inputCompiler, type ServiceApp } from './input/request-input.ts';
import { requestIds, writeRequestLine } from './request-log.ts';
import { decorateRequests } from './request-state.ts';
import { RouteList } from './route-list.ts';
import { prepareRoute, type RoutePreparationDependencies } from './route-preparation.ts';
import { ServiceMetrics } from './service-metrics.ts';

export interface ServiceServerDependencies
  extends Omit<RoutePreparationDependencies, 'metrics' | 'routes' | 'arrivals'> {
  /** Networks of proxies whose `X-Forwarded-*` headers count: `http.trusted_proxies`. Default none. */
  readonly trustedProxies?: readonly string[];
  /** URL by which browsers reach the service. Undefined: as each request says. */
  readonly publicUrl?: string | undefined;
  /**
   * Treatment of paths without their final slash. `optional` (default): they answer, but a wrong method
   * is a 405 for a collection only with it. `ignored`: no difference. `required`: a 405 (specification, Errors).
   */
  readonly finalSlash?: keyof typeof METHODS_BY_SLASH;
  /** First word of the names of metrics: `http.metrics_prefix`. Default `triad`. */
  readonly metricsPrefix?: string;
  /** Returns true for targets whose empty segments are not merged, because another server reads them. */
  readonly keepsEmptySegments?: (url: string) => boolean;
  /** Returns where to send a request for a path that other processes serve; undefined for other paths. */
  readonly elsewhere?: (path: string) => string | undefined;
  /** Times in which bodies have to arrive; for tests. */
  readonly arrivalRules?: Partial<ArrivalRules>;
  /** Returns the refusal of an input in the words of the service. Default: the usual words. */
  readonly wording?: InputWording;
}

/** Lookup of the methods of a path when none fits the request. */
const METHODS_BY_SLASH = { optional: 'roots', ignored: 'ignored', required: 'exact' } as const;

export interface ServiceServer {
  readonly app: ServiceApp;
  readonly routes: RouteList;
  readonly metrics: ServiceMetrics;
  /** For what answers requests beside the routes. */
  readonly arrivals: Pick<ArrivalLimits, 'begin' | 'stream'>;
}

/** Milliseconds between looks at connections that became idle while the server closes. */
const IDLE_CHECK = 50;
/** Access tokens of identity providers make long headers. */
const MAX_HEADER_SIZE = 64 * 1024;

/**
 * Payload of one TCP segment on Ethernet. Compressing an answer that fits saves at most one packet
 * and makes a request such as `whoami` (1,272 bytes) cost 137 µs of processor time instead of 80.
 */
const MIN_COMPRESSED_SIZE = 1460;

/**
 * Compression of answers. Brotli 4 makes 16 kB of the 458 kB that clients load at boot, in 1 ms; gzip
 * 3 makes 34 kB. Routes with secrets have `compress: false`: with chosen input, the size of an answer reveals its
 * content (BREACH).
 */
const COMPRESSION: FastifyCompressOptions = {
  encodings: ['br', 'gzip'],
  threshold: MIN_COMPRESSED_SIZE,
  customTypes: /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]+\+)?(?:json|javascript|xml)\b)/,
  // Half a megabyte of window: by default, each stream takes four times the memory.
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 19 } },
  zlibOptions: { level: 3 },
  // Request bodies are read as they are.
  globalDecompression: false,
};

/** Returns what every server of the process takes from the settings. */
export function commonSettings(http: Config['http']) {
  return {
    bodyLimit: http.max_body_size,
    metricsPrefix: http.metrics_prefix,
    trustedProxies: http.trusted_proxies,
  };
}

/**
 * Creates the server of a service without routes. It gives every route access control, body reading,
 * both forms of the final slash, the envelope, the table of errors, a log line and counters.
 * @throws InvalidInput `invalid_setting` when a trusted proxy is not a network
 */
export function createServiceServer(dependencies: ServiceServerDependencies): ServiceServer {
  const { envelope, log, keepsEmptySegments: keepsSegments = () => false } = dependencies;
  const routes = new RouteList();
  const metrics = new ServiceMetrics(dependencies.metricsPrefix);
  const failures = failureAnswers(envelope, log, dependencies.statuses);
  const isTrusted = trustedProxyTest(dependencies.trustedProxies ?? []);
  const app: ServiceApp = fastify({
    logger: false,
    genReqId: requestIds(),
    requestIdHeader: false,
    bodyLimit: dependencies.bodyLimit,
    // Streamed bodies may take longer: `ArrivalLimits` ends those that arrive too slowly.
    requestTimeout: 0,
    http: {
      maxHeaderSize: MAX_HEADER_SIZE,
      // Others, such as the offer of HTTP/2 (`Upgrade: h2c`), are ordinary requests, whose body an upgrade would lose.
      shouldUpgradeCallback: ({ method, headers: { upgrade } }) =>
        method === 'GET' && upgrade?.toLowerCase() === 'websocket' && app.server.listenerCount('upgrade') > 0,
    },
    // What was begun is finished; a connection that stays open is told to close with its next answer.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: isTrusted ?? false,
    // The first function that gets a request, so that even one with an unusable URL has its real address.
    rewriteUrl: (request) => {
      if (isTrusted !== undefined) normaliseForwardedHeaders(request, isTrusted);
      const { url = '/' } = request;
      // Clients join the address of the server and a path, and either may bring a slash.
      return url.startsWith('//') ? url.replace(/^\/+/, '/') : url;
    },
    routerOptions: {
      ignoreTrailingSlash: dependencies.finalSlash !== 'required',
      maxParamLength: MAX_PARAMETER_LENGTH,
    },
    frameworkErrors: failures.send,
    clientErrorHandler: failures.answerUnreadable,
  });
  const arrivals = new ArrivalLimits(dependencies.arrivalRules);
  // Before the framework sees the request, which may stream at once, and which it may refuse before any hook.
  app.server.prependListener('request', (request, response) => arrivals.begin(request, response));
  const compileInput = inputCompiler(dependencies.wording);
  app.setValidatorCompiler<InputSchema>((part) => compileInput(part));
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setReplySerializer((payload) => (typeof payload === 'string' ? payload : sortedJson(payload)));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  /** Returns the refusal of an unknown path or method; undefined for OPTIONS. */
  const refusalOfUnknown = (request: FastifyRequest, reply: FastifyReply): Error | undefined => {
    // Hooks of routes, which log and count, do not run here. Paths that callers make up are not labels.
    reply.raw.once('finish', () => {
      metrics.requestCounter(request.method, 'unknown')(reply.statusCode);
      writeRequestLine(log, request, reply);
    });
    return unknownRequest(routes, dependencies, request, reply);
  };
  decorateRequests(app, dependencies.publicUrl);
  // Where addresses are exact, empty parts of one may leave no address at all.
  const isExact = dependencies.finalSlash === 'required';
  const leadsOn = (path: string): boolean => !isExact || routes.methodsOf(path, 'exact').length > 0;
  app.addHook('onRequest', (request, reply, done) => {
    // A name with several addresses has a server for each.
    arrivals.begin(request.raw, reply.raw);
    reply.header('x-request-id', request.id);
    reply.headers(ANSWER_HEADERS);
    const url = request.raw.url ?? '/';
    if (url.includes('%00')) done(new InvalidInput('invalid_character', 'The address holds the character NUL (%00).'));
    // The framework fails over one without a content type before it looks whether there is such a route; there is none.
    else if (request.method === 'QUERY') done(refusalOfUnknown(request, reply));
    // A wildcard takes any path: there, empty segments are the route's own matter.
    else if (!url.split('?', 1)[0]?.includes('//') || isWildcard(request) || keepsSegments(url)) done();
    else if (!redirectToMergedPath(url, reply, leadsOn)) done(isExact ? refusalOfUnknown(request, reply) : undefined);
  });
  app.addHook('onClose', (_instance, done) => {
    arrivals.close();
    done();
  });
  app.addHook('preClose', (done) => {
    // A request that had begun before is not told to close its connection: its caller keeps it open.
    const closing = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK).unref();
    app.server.once('close', () => clearInterval(closing));
    done();
  });
  // Called, not registered: a registered plugin starts after the routes, and its hook would miss them.
  fastifyCompress(app, COMPRESSION, (error) => {
    if (error) throw error;
  });
  app.addHook('onRoute', (options) => prepareRoute({ ...dependencies, routes, metrics, arrivals }, options));
  app.setErrorHandler(failures.send);
  app.setNotFoundHandler(async (request, reply) => {
    const refusal = refusalOfUnknown(request, reply);
    if (refusal !== undefined) throw refusal;
    return reply.type('text/html; charset=utf-8').send('');
  });
  return { app, routes, metrics, arrivals };
}

function isWildcard(request: FastifyRequest): boolean {
  return request.routeOptions.url?.endsWith('/*') === true;
}

/** Redirects a path with empty segments to the one without; returns whether it does. */
function redirectToMergedPath(url: string, reply: FastifyReply, leadsOn: (path: string) => boolean): boolean {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  // A request may name a whole address, and browsers take a backslash for a slash: both would lead to another host.
  if (!path.startsWith('/') || path.includes('\\')) return false;
  const merged = path.replaceAll(/\/{2,}/g, '/');
  if (!leadsOn(merged)) return false;
  const query = end === -1 ? '' : url.slice(end);
  reply.code(308).header('location', `${merged}${query}`).send();
  return true;
}

/** Returns a 404, or the 405 of a method or form that the path does not have; undefined for OPTIONS. */
function unknownRequest(
  routes: RouteList,
  { finalSlash: form = 'optional', elsewhere }: Pick<ServiceServerDependencies, 'finalSlash' | 'elsewhere'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Error | undefined {
  const { path, method } = request;
  const finalSlash = METHODS_BY_SLASH[form];
  const asWritten = routes.methodsOf(path, method === 'OPTIONS' ? 'ignored' : finalSlash);
  const withSlash = finalSlash === 'exact' && !path.endsWith('/') ? routes.methodsOf(`${path}/`) : [];
  // A path with a wildcard may fit both forms, for other methods.
  const lacksSlash = withSlash.length > 0 && (asWritten.length === 0 || withSlash.includes(method));
  const methods = lacksSlash ? withSlash : asWritten;
  if (methods.length === 0) {
    const hint = elsewhere?.(path);
    return new NotFound('unknown_path', `Api does not exist (${path})${hint === undefined ? '' : `. ${hint}`}`);
  }
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
  reply.header('allow', allowed.join(', '));
  if (method === 'OPTIONS') return undefined;
  const found = `${path} does not answer ${method}`;
  const message = lacksSlash
    ? `Method not allowed: ${found}. Its address is ${path}/.`
    : `${found}, only ${allowed.join(', ')}.`;
  return new HttpRefusal(405, 'method_not_allowed', message);
}
