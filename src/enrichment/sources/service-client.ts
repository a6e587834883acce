import type { ServiceName } from '../../identity/actor.ts';
import { looksLikeInstallationToken } from '../../identity/installation-tokens/installation-tokens.ts';
import { ACCEPTED_ENCODINGS } from './http/answer-body.ts';
import { readEnvelope } from './http/plugin-envelope.ts';
import { SourceConnection } from './http/source-connection.ts';
import type { SourceCall } from './source-client.ts';
import { SourceFailure } from './source-failure.ts';

export interface ServiceClientDependencies {
  readonly service: Exclude<ServiceName, 'enrichment'>;
  /** Address of another installation; empty: the service of this process. */
  readonly url: string;
  /** Entry of `enrichment.obo_targets` that tokens are exchanged for, as messages name it. */
  readonly oboTarget: string;
  /** Returns the address at which the service of this process listens. */
  readonly addressOf: (service: ServiceName) => string | undefined;
}

export interface ServiceRequest {
  /** Default: true for a request that changes nothing. */
  readonly isRepeatable?: boolean;
  readonly method?: 'GET' | 'POST' | 'PUT';
  /** Sent as JSON. */
  readonly body?: unknown;
}

/**
 * Lookups that a source makes at a service at the same time. A user has three quarters of them, each
 * with at most four requests: within the usual quota of 25 (`api_quota`).
 */
export const SERVICE_CONCURRENCY = 8;

/** Addresses by which a process reaches a listener of its own on all interfaces. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };
/** Answers by which a service says that it does not take a token. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);

/**
 * Calls the alert or the analysis service with the rights of a caller: that of this process, or
 * another installation of the same interface. Safe for concurrent use.
 */
export class ServiceClient {
  readonly #dependencies: ServiceClientDependencies;
  #connection: { readonly origin: string; readonly link: SourceConnection } | undefined;

  constructor(dependencies: ServiceClientDependencies) {
    this.#dependencies = dependencies;
  }

  /** Address without a final slash; undefined before the service of this process listens. */
  get address(): string | undefined {
    const { service, url, addressOf } = this.#dependencies;
    const address = url || addressOf(service);
    if (address === undefined) return undefined;
    const { protocol, host, hostname, port, pathname } = new URL(address);
    const reachable = LOOPBACK[hostname];
    const at = reachable === undefined ? host : `${reachable}${port === '' ? '' : `:${port}`}`;
    return `${protocol}//${at}${pathname.replace(/\/+$/, '')}`;
  }

  /** True when `url` names another installation. */
  get isElsewhere(): boolean {
    return this.#dependencies.url !== '';
  }

  /** Returns the content of the envelope; undefined for status 404 of a GET. @throws SourceFailure */
  async ask(path: string, call: SourceCall, request: ServiceRequest = {}): Promise<unknown> {
    const { service } = this.#dependencies;
    const { method = 'GET', body, isRepeatable = true } = request;
    const address = this.address;
    if (address === undefined) {
      const message = `The ${nameOf(service)} does not listen in this process. Set enrichment.${service}.url to its address.`;
      throw new SourceFailure('refused', message);
    }
    const { origin, pathname } = new URL(address);
    const base = pathname === '/' ? '' : pathname;
    const sent = { method, path: base + path, headers: this.#headers(call, body), call, isRepeatable };
    const answer = await this.#linkTo(origin).send(body === undefined ? sent : { ...sent, body: JSON.stringify(body) });
    if (answer.status === 404 && method === 'GET') return undefined;
    try {
      return await readEnvelope(answer);
    } catch (error) {
      throw this.#worded(error, call);
    }
  }

  async close(): Promise<void> {
    await this.#connection?.link.close();
  }

  #linkTo(origin: string): SourceConnection {
    if (this.#connection?.origin !== origin) this.#connection = { origin, link: new SourceConnection(origin) };
    return this.#connection.link;
  }

  #headers({ token }: SourceCall, body: unknown): Record<string, string> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    // Within a machine, packing takes longer than sending.
    if (this.isElsewhere) headers['accept-encoding'] = ACCEPTED_ENCODINGS;
    return headers;
  }

  #worded(error: unknown, { token = '' }: SourceCall): unknown {
    if (!(error instanceof SourceFailure) || error.status === undefined) return error;
    const { service, url, oboTarget } = this.#dependencies;
    if (this.isElsewhere && REFUSALS.has(error.status) && looksLikeInstallationToken(token)) {
      const message = `The ${nameOf(service)} at ${url} refused the token of this installation. Let callers sign in with an identity provider that both know, and name it in enrichment.obo_targets.${oboTarget}.`;
      return new SourceFailure('refused', message, { cause: error, status: error.status });
    }
    if (error.status !== 404) return error;
    // In lookups the status means that nothing is known; here it is a failure.
    const { pluginMessage } = error;
    const message = `the ${nameOf(service)} answered with status 404: ${pluginMessage ?? error.message}`;
    return new SourceFailure('unusable', message, { cause: error, pluginMessage });
  }
}

function nameOf(service: ServiceClientDependencies['service']): string {
  return service === 'alerts' ? 'alert service' : 'analysis service';
}
