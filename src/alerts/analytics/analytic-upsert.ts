import { BoundedCache } from '../../caching/bounded-cache.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { changeDocument } from '../../datastore/port/change-document.ts';
import { ABSENT, type Collection, type Visible } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { lowercase } from '../../datastore/query-language/lowercase.ts';
import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { readDocument } from '../../documents/schema/read-document.ts';

export interface AnalyticUpsertDependencies {
  analytics: Collection<Analytic>;
  locks: Coordination['locks'];
  /** Milliseconds, any origin. */
  clock: () => number;
  log: { warn(entry: object, message: string): void };
}

/** What is known to be in an analytic, so that alerts which add nothing to it cost nothing. */
interface Known {
  readonly id: string;
  readonly users: ReadonlySet<string>;
  /** As they are stored. */
  readonly detections: readonly string[];
  /** In lower case. */
  readonly detectionNames: ReadonlySet<string>;
  readonly until: number;
}

/** What a batch of alerts says of one analytic. */
interface Sighting {
  /** As the first of the alerts spells it. */
  readonly name: string;
  /** As often as the alerts name them. */
  readonly detections: string[];
}

const ALL_MAY_READ = unrestricted('analytics carry no classification');
/** Milliseconds for which what was read of an analytic is believed: others may change or delete it. */
const BELIEVED = 10_000;
/** Names remembered at most. */
const MAX_KNOWN = 10_000;
/** Milliseconds. */
const LOCK_LEASE = 30_000;
const LOCK_WAIT = 10_000;
const MAX_DUPLICATES = 100;
/** Milliseconds for which a change of how often detections are listed may wait, so that a stream of alerts writes it once. */
const COUNTS_WAIT = 1000;
/** As the public system writes it: clients know by it that nobody has described the analytic. */
const PLACEHOLDER = 'Placeholder Description - Défaut Description';

/**
 * Keeps the analytics in step with the alerts that arrive (contract/alert.md section 6.3): there is one analytic per name, whatever
 * its case; who sends alerts contributes to it; its detections are those that the alerts name, sorted. As in the public system a
 * detection stands there as often as the alerts that arrived together last named it; that alone is written a second later, once for
 * all alerts of that second.
 * The only place that makes analytics. Safe when several processes do it at once: one lock per name.
 */
export class AnalyticUpsert {
  readonly #dependencies: AnalyticUpsertDependencies;
  readonly #log: RateLimitedLogger;
  readonly #known = new BoundedCache<string, Known>(MAX_KNOWN);
  readonly #recounted = new Map<string, Sighting>();

  constructor(dependencies: AnalyticUpsertDependencies) {
    this.#dependencies = dependencies;
    this.#log = new RateLimitedLogger(dependencies.log);
  }

  /**
   * Brings the analytics of `hits` up to date. Alerts of analytics that are up to date cost no request.
   * @returns warnings: the alerts are stored already, so an analytic that cannot be written is no reason to send them again
   */
  async record(username: string, hits: readonly Pick<Hit, 'howler'>[], visible: Visible): Promise<readonly string[]> {
    const warnings: string[] = [];
    for (const [key, sighting] of sightings(hits)) {
      if (this.#addsNothing(key, username, sighting)) {
        this.#recount(key, username, sighting);
        continue;
      }
      try {
        await this.#update(key, username, sighting, visible);
      } catch (error) {
        this.#log.warn({ err: error, analytic: sighting.name }, 'an analytic could not be brought up to date');
        warnings.push(`The analytic ${sighting.name} could not be brought up to date.`);
      }
    }
    return warnings;
  }

  #addsNothing(key: string, username: string, { detections }: Sighting): boolean {
    const known = this.#known.get(key);
    if (known === undefined || known.until < this.#dependencies.clock() || !known.users.has(username)) return false;
    return detections.every((name) => known.detectionNames.has(lowercase(name)));
  }

  /** Sees to it that detections are listed as often as the newest alerts name them. Not worth a request's time. */
  #recount(key: string, username: string, sighting: Sighting): void {
    const waiting = this.#recounted.has(key);
    if (!waiting && this.#listsAsOften(key, sighting)) return;
    this.#recounted.set(key, sighting);
    if (waiting) return;
    setTimeout(() => {
      const newest = this.#recounted.get(key);
      this.#recounted.delete(key);
      if (newest === undefined || this.#listsAsOften(key, newest)) return;
      this.#update(key, username, newest, 'soon').catch((error: unknown) => {
        this.#log.warn({ err: error, analytic: newest.name }, 'the detections of an analytic were not counted anew');
      });
    }, COUNTS_WAIT).unref();
  }

  #listsAsOften(key: string, { detections }: Sighting): boolean {
    const stored = this.#known.get(key)?.detections ?? [];
    const merged = mergedDetections(stored, detections);
    return merged.length === stored.length && merged.every((name, at) => name === stored[at]);
  }

  async #update(key: string, username: string, sighting: Sighting, visible: Visible): Promise<void> {
    const lock = await this.#dependencies.locks.acquire(`analytic:${key}`, LOCK_LEASE, { wait: LOCK_WAIT });
    if (lock === undefined) throw new Error(`Another process keeps the analytic ${sighting.name} locked.`);
    try {
      // Another request may have done the same while this one waited.
      if (this.#addsNothing(key, username, sighting) && this.#listsAsOften(key, sighting)) return;
      this.#remember(key, await this.#upsert(key, username, sighting, visible));
    } finally {
      await lock.release();
    }
  }

  async #upsert(key: string, username: string, sighting: Sighting, visible: Visible): Promise<Analytic> {
    const { analytics } = this.#dependencies;
    const [first, ...duplicates] = await this.#stored(key);
    if (first === undefined) return this.#create(username, sighting);
    const changed = await changeDocument(
      analytics,
      first.analytic_id,
      (analytic) => enriched([analytic, ...duplicates], username, sighting),
      { access: ALL_MAY_READ, visible },
    );
    for (const duplicate of duplicates) await analytics.delete(duplicate.analytic_id, { visible: 'now' });
    // Deleted since it was found.
    return changed?.document ?? this.#create(username, sighting);
  }

  /** The analytics of a name: one, unless an older installation made several. A search waits for the columns, so it is not done twice. */
  async #stored(key: string): Promise<readonly Analytic[]> {
    const { analytics, clock } = this.#dependencies;
    const known = this.#known.get(key);
    const recent = known && known.until >= clock() ? await analytics.get(known.id, ALL_MAY_READ) : undefined;
    if (recent !== undefined) return [recent];
    const query = { kind: 'term', field: 'name', value: key } as const;
    const { items } = await analytics.search({ query, rows: MAX_DUPLICATES }, ALL_MAY_READ);
    return items.map((item) => item.document);
  }

  async #create(username: string, { name, detections }: Sighting): Promise<Analytic> {
    const input = {
      name,
      owner: username,
      contributors: [username],
      detections: [...detections].sort(),
      description: PLACEHOLDER,
    };
    const { document } = readDocument(analyticDocument, input, { unknown: 'refuse' });
    // At once: the next alert of that name looks for it by a search.
    await this.#dependencies.analytics.save(document.analytic_id, document, { ifVersion: ABSENT, visible: 'now' });
    return document;
  }

  #remember(key: string, analytic: Analytic): void {
    this.#known.set(key, {
      id: analytic.analytic_id,
      users: new Set(analytic.contributors),
      detections: analytic.detections,
      detectionNames: new Set(analytic.detections.map(lowercase)),
      until: this.#dependencies.clock() + BELIEVED,
    });
  }
}

/** By the lower case of the name. */
function sightings(hits: readonly Pick<Hit, 'howler'>[]): ReadonlyMap<string, Sighting> {
  const found = new Map<string, Sighting>();
  for (const { howler } of hits) {
    const key = lowercase(howler.analytic);
    let sighting = found.get(key);
    if (sighting === undefined) {
      sighting = { name: howler.analytic, detections: [] };
      found.set(key, sighting);
    }
    if (howler.detection) sighting.detections.push(howler.detection);
  }
  return found;
}

/** The first of several analytics of one name, with what the others and the alerts add to it. */
function enriched(stored: readonly [Analytic, ...Analytic[]], username: string, sighting: Sighting): Analytic {
  // Older documents may lack a list.
  const [first, ...others] = stored.map((analytic) => toOutput(analyticDocument, analytic)) as [
    Analytic,
    ...Analytic[],
  ];
  const known = new Set(first.detections.map(lowercase));
  const added = others.flatMap((analytic) => analytic.detections.filter((name) => !known.has(lowercase(name))));
  const contributors = new Set([...[first, ...others].flatMap((analytic) => analytic.contributors), username]);
  return {
    ...first,
    owner: first.owner || username,
    contributors: [...contributors],
    detections: mergedDetections([...first.detections, ...added], sighting.detections),
  };
}

/** What arrived takes the place of its equals, whatever their case. Nothing arrived: no change. */
function mergedDetections(stored: readonly string[], arrived: readonly string[]): string[] {
  if (arrived.length === 0) return [...stored];
  const names = new Set(arrived.map(lowercase));
  return [...stored.filter((name) => !names.has(lowercase(name))), ...arrived].sort();
}
