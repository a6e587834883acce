import { pino } from 'pino';
import { type Config, loadConfig } from '../config/config.ts';
import type { ServiceName } from '../identity/actor.ts';
import type { AuditEvent } from '../identity/audit/audit-log.ts';
import { type DemoKind, type Program, startProgram } from '../program.ts';
import { NO_AUDIT_LOG } from './identity/no-audit-log.ts';

export interface TestProgramOptions {
  /**
   * Default: `users`, the demo users and their keys.
   * `none`: no users; the first administrator is created.
   */
  readonly demo?: DemoKind | 'none';
  /** Settings by key of config.yml, `auth.internal.max_failures`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Configuration folder, for a classification of its own. Default: one without any file of it. */
  readonly folder?: string;
  /** Version that the program says it has. Default `0.0.0-test`. */
  readonly version?: string;
  /** Receives the lines of the log. Default: nothing is logged. */
  readonly onLog?: (entry: Readonly<Record<string, unknown>>) => void;
  /** Receives the security events. Default: nothing is written. */
  readonly onAudit?: (event: AuditEvent) => void;
  /** Writes security events as the settings say. Default false. */
  readonly auditBySettings?: boolean;
}

export interface TestProgram extends Program {
  readonly config: Config;
  /** `http://127.0.0.1:<port>` of the alert service. */
  readonly url: string;
  /** `http://127.0.0.1:<port>` of each service, of the analyzers' protocol (`services`) and of `web`. */
  readonly urls: Readonly<Record<ServiceName | 'services' | 'web', string>>;
  /**
   * A request to the alert service, or to the one that it names; the body of the answer as it came, and
   * read as JSON where it is.
   */
  request(path: string, options?: TestRequest): Promise<TestAnswer>;
}

export interface TestRequest {
  /** Default: alerts. */
  readonly service?: ServiceName | 'web';
  readonly method?: string;
  /** `user:password` or `user:key name:secret`. */
  readonly basic?: string;
  readonly bearer?: string;
  /** `user:key name:secret` */
  readonly impersonate?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

/** Settings of the machine that runs the tests must not matter: there is no config.yml here. */
const EMPTY_FOLDER = import.meta.dirname;

/** The whole program in memory, on a free port of the loopback. */
export async function startTestProgram(options: TestProgramOptions = {}): Promise<TestProgram> {
  const { demo = 'users', settings = {}, onLog, onAudit, folder = EMPTY_FOLDER, version = '0.0.0-test' } = options;
  const config = loadConfig({
    environment: { SVC_CONF_FOLDER: folder },
    flags: {
      // A test that runs at midnight keeps its alerts.
      components: ['http', 'sockets', 'workers'],
      'alerts.port': 0,
      'analysis.port': 0,
      'enrichment.port': 0,
      'services.port': 0,
      'web.port': 0,
      'ui.audit': false,
      ...settings,
    },
  });
  const logger =
    onLog === undefined
      ? pino({ level: 'silent' })
      : pino({ level: 'debug' }, { write: (line) => onLog(JSON.parse(line) as Record<string, unknown>) });
  const program = await startProgram(config, {
    version,
    logger,
    inMemory: true,
    audit: options.auditBySettings ? undefined : onAudit === undefined ? NO_AUDIT_LOG : { write: onAudit },
    demo: demo === 'none' ? undefined : demo,
  });
  const { alerts = '', analysis = '', enrichment = '', services = '', web = '' } = program.addresses;
  const urls = { alerts, analysis, enrichment, services, web };
  return {
    ...program,
    config,
    url: alerts,
    urls,
    request: (path, request) => sendRequest(`${urls[request?.service ?? 'alerts']}${path}`, request),
  };
}

/** Sends a request to a whole address. */
export async function sendRequest(url: string, request: TestRequest = {}): Promise<TestAnswer> {
  const { method = 'GET', basic, bearer, impersonate, json, body } = request;
  const headers = new Headers(request.headers);
  if (basic !== undefined) headers.set('authorization', `Basic ${btoa(basic)}`);
  if (bearer !== undefined) headers.set('authorization', `Bearer ${bearer}`);
  if (impersonate !== undefined) headers.set('x-impersonating', `Basic ${btoa(impersonate)}`);
  if (json !== undefined) headers.set('content-type', 'application/json');
  const sent = json === undefined ? body : JSON.stringify(json);
  const answer = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : Buffer.from(sent) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
  return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : undefined };
}
