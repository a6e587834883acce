import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import { changeDocument } from '../../datastore/port/change-document.ts';
import type { Collection, Visible } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { MAX_RESULT_WINDOW } from '../../datastore/port/search.ts';
import { ABSENT } from '../../datastore/port/versions.ts';
import { lowercase } from '../../datastore/regular-language/code-points.ts';
import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { readDocument } from '../../documents/schema/read-document.ts';

export interface AnalyticUpsertDependencies {
  analytics: Collection<Analytic>;
  /** Milliseconds, any origin. Default: those of the process. */
  clock?: () => number;
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

/** An analytic to be brought up to date, by the lower case of its name. */
type Outdated = readonly [key: string, sighting: Sighting];

/** The stored analytics of a name: one, unless an older installation made several. */
interface Stored {
  readonly id: string;
  readonly duplicates: Analytic[];
}

interface Failure {
  readonly name: string;
  readonly error: unknown;
}

const ALL_MAY_READ = unrestricted('analytics carry no classification');
/** Milliseconds for which what was read of an analytic is believed: others may change or delete it. */
const BELIEVED = 10_000;
/** Names remembered at most. */
const MAX_KNOWN = 10_000;
/** Analytics that are looked up and made together. */
const BATCH = 500;
/** Analytics that are changed side by side. */
const AT_ONCE = 50;
/** Milliseconds for which a change of how often detections are listed may wait, so that a stream of alerts writes it once. */
const COUNTS_WAIT = 1000;
/** As the public system writes it: clients know by it that nobody has described the analytic. */
const PLACEHOLDER = 'Placeholder Description - Défaut Description';

/**
 * Keeps the analytics in step with the alerts that arrive (contract/alert.md section 6.3): there is one analytic per name, whatever
 * its case; who sends alerts contributes to it; its detections are those that the alerts name, sorted. As in the public system a
 * detection stands there as often as the alerts that arrived together last named it; that alone is written a second later, once for
 * all alerts of that second.
 * The only place that makes analytics. Safe when several processes do it at once: all derive the same identifier from a name.
 */
export class AnalyticUpsert {
  readonly #dependencies: AnalyticUpsertDependencies;
  readonly #clock: () => number;
  readonly #log: RateLimitedLogger;
  readonly #known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  readonly #recounted = new Map<string, Sighting>();

  constructor(dependencies: AnalyticUpsertDependencies) {
    this.#dependencies = dependencies;
    this.#clock = dependencies.clock ?? (() => performance.now());
    this.#log = new RateLimitedLogger(dependencies.log);
  }

  /**
   * Brings the analytics of `hits` up to date. Alerts of analytics that are up to date cost no request.
   * @returns warnings: the alerts are stored already, so an analytic that cannot be written is no reason to send them again
   */
  async record(username: string, hits: readonly Pick<Hit, 'howler'>[], visible: Visible): Promise<readonly string[]> {
    const outdated: Outdated[] = [];
    for (const [key, sighting] of sightings(hits)) {
      if (this.#addsNothing(key, username, sighting)) this.#recount(key, username, sighting);
      else outdated.push([key, sighting]);
    }
    const warnings: string[] = [];
    for (let from = 0; from < outdated.length; from += BATCH) {
      const failures = await this.#update(outdated.slice(from, from + BATCH), username, visible);
      for (const { name, error } of failures) {
        this.#log.warn({ err: error, analytic: name }, 'an analytic could not be brought up to date');
        warnings.push(`The analytic ${name} could not be brought up to date.`);
      }
    }
    return warnings;
  }

  #addsNothing(key: string, username: string, { detections }: Sighting): boolean {
    const known = this.#known.get(key);
    if (known === undefined || known.until < this.#clock() || !known.users.has(username)) return false;
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
      this.#update([[key, newest]], username, 'soon').then(([failure]) => {
        if (failure === undefined) return;
        this.#log.warn({ err: failure.error, analytic: newest.name }, 'the detections of an analytic were not counted');
      });
    }, COUNTS_WAIT).unref();
  }

  #listsAsOften(key: string, { detections }: Sighting): boolean {
    const stored = this.#known.get(key)?.detections ?? [];
    const merged = mergedDetections(stored, detections);
    return merged.length === stored.length && merged.every((name, at) => name === stored[at]);
  }

  /** Brings analytics of different names up to date: one search, one bulk of new ones, changes side by side. Never fails. */
  async #update(batch: readonly Outdated[], username: string, visible: Visible): Promise<readonly Failure[]> {
    try {
      const stored = await this.#stored(batch.map(([key]) => key));
      const unknown = batch.filter(([key]) => !stored.has(key));
      const failures = await this.#create(unknown, username, visible);
      const known = batch.flatMap(([key, sighting]) => {
        const found = stored.get(key);
        return found === undefined ? [] : [{ key, sighting, found }];
      });
      for (let from = 0; from < known.length; from += AT_ONCE) {
        const changes = known
          .slice(from, from + AT_ONCE)
          .map(({ key, sighting, found }) => this.#change(key, username, sighting, found, visible));
        failures.push(...(await Promise.all(changes)).flat());
      }
      return failures;
    } catch (error) {
      return batch.map(([, { name }]) => ({ name, error }));
    }
  }

  /** Of each name that has an analytic, its identifier and what older installations made more than once. */
  async #stored(keys: readonly string[]): Promise<ReadonlyMap<string, Stored>> {
    const { analytics } = this.#dependencies;
    const stored = new Map<string, Stored>();
    const values: string[] = [];
    for (const key of keys) {
      const known = this.#known.get(key);
      if (known && known.until >= this.#clock()) stored.set(key, { id: known.id, duplicates: [] });
      else values.push(key);
    }
    if (values.length === 0) return stored;
    const query = { kind: 'terms', field: 'name', values } as const;
    const { items } = await analytics.search({ query, rows: MAX_RESULT_WINDOW }, ALL_MAY_READ);
    for (const { document } of items) {
      const first = stored.get(lowercase(document.name));
      if (first === undefined) stored.set(lowercase(document.name), { id: document.analytic_id, duplicates: [] });
      else first.duplicates.push(document);
    }
    return stored;
  }

  async #change(
    key: string,
    username: string,
    sighting: Sighting,
    { id, duplicates }: Stored,
    visible: Visible,
  ): Promise<readonly Failure[]> {
    const { analytics } = this.#dependencies;
    try {
      const changed = await changeDocument(
        analytics,
        id,
        (analytic) => enriched([analytic, ...duplicates], username, sighting),
        { access: ALL_MAY_READ, visible },
      );
      for (const duplicate of duplicates) await analytics.delete(duplicate.analytic_id, { visible: 'now' });
      if (changed) this.#remember(key, changed.document);
      // Deleted since it was found.
      else return await this.#create([[key, sighting]], username, visible);
      return [];
    } catch (error) {
      return [{ name: sighting.name, error }];
    }
  }

  async #create(wanted: readonly Outdated[], username: string, visible: Visible): Promise<Failure[]> {
    const created = wanted.map(([key, sighting]) => ({
      key,
      sighting,
      document: newAnalytic(key, username, sighting),
    }));
    const results = await this.#dependencies.analytics.bulk(
      created.map(({ document }) => ({ kind: 'save', id: document.analytic_id, document, ifVersion: ABSENT })),
      { visible },
    );
    const failures: Failure[] = [];
    for (const [at, { key, sighting, document }] of created.entries()) {
      const result = results[at];
      if (result?.ok) this.#remember(key, document);
      else if (result?.code === 'already_exists') {
        // Another request has made it in between.
        const found = { id: document.analytic_id, duplicates: [] };
        failures.push(...(await this.#change(key, username, sighting, found, visible)));
      } else failures.push({ name: sighting.name, error: new Error(result?.message) });
    }
    return failures;
  }

  #remember(key: string, analytic: Analytic): void {
    this.#known.set(key, {
      id: analytic.analytic_id,
      users: new Set(analytic.contributors),
      detections: analytic.detections,
      detectionNames: new Set(analytic.detections.map(lowercase)),
      until: this.#clock() + BELIEVED,
    });
  }
}

/** The identifier follows from the name, so that of several processes one makes the analytic and the others find it. */
function newAnalytic(key: string, username: string, { name, detections }: Sighting): Analytic {
  const input = {
    analytic_id: createHash('sha256').update(key).digest('hex').slice(0, 32),
    name,
    owner: username,
    contributors: [username],
    detections: [...detections].sort(),
    description: PLACEHOLDER,
  };
  return readDocument(analyticDocument, input, { unknown: 'refuse' }).document;
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
