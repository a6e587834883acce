import type { CallContext, CallKind, CallLimits, CredentialsForSources, ReportedCall } from './call-context.ts';
import type { SourceCall, SourceClient } from './source-client.ts';
import type { SourceSettings } from './source-settings.ts';

export interface SourceCallsDependencies {
  readonly settings: SourceSettings;
  readonly client: SourceClient;
  readonly credentials: CredentialsForSources;
  /** Default: none. */
  readonly limits?: CallLimits | undefined;
  /** Called with each call for a user before it is made. Must not throw. */
  readonly onCall?: ((call: ReportedCall) => void) | undefined;
}

/** Milliseconds that a source may take to name its types. */
const DISCOVERY_TIMEOUT = 3_000;
const NEVER = new AbortController().signal;
const NO_ONE = { username: '', classification: '' };

/** Calls one source with the token of the caller and within the limits of the source. */
export class SourceCalls {
  readonly #dependencies: SourceCallsDependencies;

  constructor(dependencies: SourceCallsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Asks for the types of the source, for no user and without a token. */
  types(): Promise<unknown> {
    const call = { deadline: Date.now() + DISCOVERY_TIMEOUT, signal: NEVER, caller: NO_ONE };
    return this.#limited('types', undefined, call, () => this.#dependencies.client.types(call));
  }

  /** Makes a call for a user. @param about what the call is reported with */
  async make<T>(
    kind: CallKind,
    about: Pick<ReportedCall, 'id' | 'selectors'>,
    { actor, credential, deadline, signal }: CallContext,
    work: (client: SourceClient, call: SourceCall) => Promise<T>,
  ): Promise<T> {
    const { settings, client, credentials, onCall } = this.#dependencies;
    const tokens = await credentials.tokenFor(settings, actor, credential, kind);
    const call: SourceCall = { signal, deadline, ...tokens, caller: actor };
    return this.#limited(kind, actor.username, call, (anotherRequest) => {
      onCall?.({ kind, source: settings.name, actor, ...about });
      return work(client, anotherRequest === undefined ? call : { ...call, anotherRequest });
    });
  }

  #limited<T>(
    kind: CallKind,
    username: string | undefined,
    { deadline, signal }: SourceCall,
    work: (anotherRequest?: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const { limits } = this.#dependencies;
    return limits === undefined ? work() : limits.run({ kind, username, deadline, signal }, work);
  }
}
