import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { IdentityLog } from '../../identity/identity-log.ts';
import { outsideJson } from '../../identity/limits/outside-json.ts';

export interface TypeServiceDependencies {
  readonly settings: Settings['enrichment']['external_sources'];
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

type Source = Settings['enrichment']['external_sources'][number];

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

/** Asks the sources of the settings for the types that they offer. Caches answers for five minutes. */
export class TypeService {
  readonly #dependencies: TypeServiceDependencies;
  readonly #now: () => number;
  /** Each with the classification of the source itself, normalised. */
  readonly #sources: readonly (Source & { readonly classification: string })[];
  readonly #asked = new Map<Source, Asked>();

  /** @throws InvalidInput `invalid_setting` for an invalid classification, or a repeated name */
  constructor(dependencies: TypeServiceDependencies) {
    const { settings, engine, now = Date.now } = dependencies;
    this.#dependencies = dependencies;
    this.#now = now;
    this.#sources = settings.map((source, index) => {
      const at = `enrichment.external_sources[${index}]`;
      const { name, classification } = source;
      if (settings.findIndex((other) => other.name === name) < index) {
        throw invalidSetting(`${at}.name`, `there is another source ${name}`);
      }
      if (!classification) return { ...source, classification: engine.unrestricted };
      try {
        return { ...source, classification: engine.normalise(classification.toUpperCase()) };
      } catch (cause) {
        throw invalidSetting(`${at}.classification`, `${classification} is not a classification`, cause);
      }
    });
  }

  /** Returns types by source, as far as the actor may see both; none for a source that does not answer. */
  async typesBySource(actor: Pick<Actor, 'classification'>): Promise<Readonly<Record<string, readonly string[]>>> {
    const { engine } = this.#dependencies;
    const isVisible = (classification: string) => engine.isAccessible(actor.classification, classification, true);
    const visible = this.#sources.filter(({ classification }) => isVisible(classification));
    const found = visible.map(async (source) => {
      const offered = (await this.#offeredBy(source)).filter(([, classification]) => isVisible(classification));
      return [source.name, offered.map(([type]) => type)] as const;
    });
    return Object.fromEntries(await Promise.all(found));
  }

  async #offeredBy(source: Source): Promise<OfferedTypes> {
    const known = this.#asked.get(source);
    if (known !== undefined && known.until > this.#now()) return (await known.types) ?? [];
    const asked: Asked = { types: this.#ask(source), until: this.#now() + LIFETIME };
    this.#asked.set(source, asked);
    const types = await asked.types;
    if (types === undefined) asked.until = this.#now() + RETRY_AFTER;
    return types ?? [];
  }

  /** Returns undefined when the source does not answer. */
  async #ask({ name, url }: Source): Promise<OfferedTypes | undefined> {
    try {
      const body = await outsideJson(`${url.replace(/\/+$/, '')}/types/`, TIMEOUT);
      if (typeof body !== 'object' || body === null || !('api_response' in body)) {
        throw new Error('its answer is not in the envelope of the protocol');
      }
      const { api_response: types } = body;
      if (typeof types !== 'object' || types === null) throw new Error('its types are not an object');
      return Object.entries(types).filter(
        (offer): offer is [string, string] => BUILT_IN_TYPES.has(offer[0]) && typeof offer[1] === 'string',
      );
    } catch (error) {
      this.#dependencies.log.warn({ source: name, err: error }, `the source ${name} does not say what it offers`);
      return undefined;
    }
  }
}

function invalidSetting(at: string, problem: string, cause?: unknown): InvalidInput {
  return new InvalidInput('invalid_setting', `${at}: ${problem}.`, { at, cause });
}
