import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Actor } from '../../identity/actor.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import { outsideJson } from '../outside-json.ts';
import type { Source, Sources } from '../sources/sources.ts';

interface TypeServiceDependencies {
  readonly sources: Sources;
  readonly engine: ClassificationEngine;
  readonly log: Pick<IdentityLog, 'warn'>;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** Types that a source offers, with who may know that it does. */
type OfferedTypes = readonly (readonly [type: string, classification: string])[];

interface Asked {
  readonly types: Promise<OfferedTypes | undefined>;
  until: number;
}

/** Types of values that sources may offer (contract/enrichment.md section 3.4). */
const BUILT_IN_TYPES: ReadonlySet<string> = new Set(
  (
    'ipv4 ipv6 ip domain port url userid user_agent email_address email_id email_path md5 sha1 sha256 hbs_oid ' +
    'hbs_agent_id telemetry howler_id hostname tenant-id'
  ).split(' '),
);

/** Milliseconds that a source may take to say what it offers. */
const TIMEOUT = 3_000;
const LIFETIME = 5 * 60_000;
/** Milliseconds after which a source that did not answer is asked again. */
const RETRY_AFTER = 10_000;

/** Asks sources for the types of values that they offer. Caches the answers for five minutes. */
export class TypeService {
  readonly #dependencies: TypeServiceDependencies;
  readonly #now: () => number;
  readonly #asked = new Map<string, Asked>();

  constructor(dependencies: TypeServiceDependencies) {
    this.#dependencies = dependencies;
    this.#now = dependencies.now ?? Date.now;
  }

  /** Returns types by source, as far as the actor may see both; none for a source that does not answer. */
  async typesBySource(actor: Pick<Actor, 'classification'>): Promise<Readonly<Record<string, readonly string[]>>> {
    const { sources, engine } = this.#dependencies;
    const found = await Promise.all(
      sources.visibleTo(actor).map(async (source) => {
        const visible = (await this.#offeredBy(source)).filter(([, classification]) =>
          engine.isAccessible(actor.classification, classification, true),
        );
        return [source.name, visible.map(([type]) => type)] as const;
      }),
    );
    return Object.fromEntries(found);
  }

  async #offeredBy(source: Source): Promise<OfferedTypes> {
    const known = this.#asked.get(source.url);
    if (known !== undefined && known.until > this.#now()) return (await known.types) ?? [];
    const asked: Asked = { types: this.#ask(source), until: this.#now() + LIFETIME };
    this.#asked.set(source.url, asked);
    const types = await asked.types;
    if (types === undefined) asked.until = this.#now() + RETRY_AFTER;
    return types ?? [];
  }

  /** Returns undefined when the source does not answer. */
  async #ask(source: Source): Promise<OfferedTypes | undefined> {
    try {
      const answer = await askSource(source, '/types/', TIMEOUT);
      if (typeof answer !== 'object' || answer === null) throw new Error('its types are not an object');
      return Object.entries(answer).filter(
        (offer): offer is [string, string] => BUILT_IN_TYPES.has(offer[0]) && typeof offer[1] === 'string',
      );
    } catch (error) {
      this.#dependencies.log.warn(
        { source: source.name, err: error },
        `the source ${source.name} does not say what it offers`,
      );
      return undefined;
    }
  }
}

/**
 * Returns `api_response` of the answer of a source to GET.
 * @param path with its slashes, `/types/`
 * @param timeout milliseconds
 * @throws Error in words without a successful answer in the envelope
 */
async function askSource({ url }: Source, path: string, timeout: number): Promise<unknown> {
  const body = await outsideJson(`${url}${path}`, timeout);
  if (typeof body !== 'object' || body === null || !('api_response' in body)) {
    throw new Error('its answer is not in the envelope of the protocol');
  }
  return body.api_response;
}
