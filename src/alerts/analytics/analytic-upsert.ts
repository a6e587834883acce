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

interface AnalyticUpsertDependencies {
  analytics: Collection<Analytic>;
  /** Milliseconds, any origin. Default: those of the process. */
  clock?: () => number;
  log: { warn(entry: object, message: string): void };
}

/** An analytic as it was last read or written, so that alerts which add nothing to it cost nothing. */
interface Known {
  readonly id: string;
  readonly users: ReadonlySet<string>;
  /** In the stored spelling. */
  readonly detections: readonly string[];
  /** In lower case. */
  readonly detectionNames: ReadonlySet<string>;
  readonly until: number;
}

/** An analytic of a batch of alerts. */
interface Sighting {
  /** Lower case of the name. */
  readonly key: string;
  /** In the spelling of the first alert. */
  readonly name: string;
  /** Repeated for each alert that names them. */
  readonly detections: string[];
}

/** The stored analytics of a name: one, unless an older installation made several. */
interface Stored {
  readonly id: string;
  readonly duplicates: Analytic[];
}

type Failure = { readonly name: string; readonly error: unknown };

const ALL_MAY_READ = unrestricted('analytics carry no classification');
/** Milliseconds for which a cached analytic is trusted: others may change or delete it. */
const BELIEVED = 10_000;
const MAX_KNOWN = 10_000;
/** Analytics that are looked up and made together. */
const BATCH = 500;
/** Analytics that are changed side by side. */
const AT_ONCE = 50;
/** Milliseconds that changed counts may wait, so that a stream of alerts writes them once. */
const COUNTS_WAIT = 1000;
/** Text by which clients of the public system know that an analytic has no description. */
const PLACEHOLDER = 'Placeholder Description - Défaut Description';

/**
 * Keeps the analytics in step with the alerts that arrive (contract/alert.md section 6.3).
 * There is one for each name, in any case, with the senders of its alerts and its sorted detections. As in the public
 * system a detection is listed as often as the alerts that arrived together last named it; that alone is written a second
 * later, once for all alerts of that second. Safe in several processes: all derive the same identifier from a name.
 */
export class AnalyticUpsert {
  readonly #analytics: Collection<Analytic>;
  readonly #clock: () => number;
  readonly #log: RateLimitedLogger;
  readonly #known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  readonly #recounted = new Map<string, Sighting>();

  constructor({ analytics, clock = () => performance.now(), log }: AnalyticUpsertDependencies) {
    this.#analytics = analytics;
    this.#clock = clock;
    this.#log = new RateLimitedLogger(log);
  }

  /**
   * Brings the analytics of `hits` up to date. Alerts of analytics that are up to date cost no request.
   * @returns warnings: the alerts are stored already, so an analytic that cannot be written is no reason to send them again
   */
  async record(username: string, hits: readonly Pick<Hit, 'howler'>[], visible: Visible): Promise<readonly string[]> {
    const outdated: Sighting[] = [];
    for (const sighting of sightings(hits)) {
      if (this.#addsNothing(username, sighting)) this.#recount(username, sighting);
      else outdated.push(sighting);
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

  #addsNothing(username: string, { key, detections }: Sighting): boolean {
    const known = this.#current(key);
    if (!known?.users.has(username)) return false;
    return detections.every((name) => known.detectionNames.has(lowercase(name)));
  }

  #current(key: string): Known | undefined {
    const known = this.#known.get(key);
    return known && known.until >= this.#clock() ? known : undefined;
  }

  /** Schedules the counts of detections of the newest alerts, unless they are stored. */
  #recount(username: string, sighting: Sighting): void {
    const { key } = sighting;
    const waiting = this.#recounted.has(key);
    if (!waiting && this.#listsAsOften(sighting)) return;
    this.#recounted.set(key, sighting);
    if (waiting) return;
    setTimeout(() => {
      const newest = this.#recounted.get(key);
      this.#recounted.delete(key);
      if (newest === undefined || this.#listsAsOften(newest)) return;
      this.#update([newest], username, 'soon').then(([failure]) => {
        if (failure === undefined) return;
        this.#log.warn({ err: failure.error, analytic: newest.name }, 'the detections of an analytic were not counted');
      });
    }, COUNTS_WAIT).unref();
  }

  #listsAsOften({ key, detections }: Sighting): boolean {
    const stored = this.#known.get(key)?.detections ?? [];
    const merged = mergedDetections(stored, detections);
    return merged.length === stored.length && merged.every((name, at) => name === stored[at]);
  }

  /** Updates analytics by one search, one bulk of new ones and concurrent changes. Never fails. */
  async #update(batch: readonly Sighting[], username: string, visible: Visible): Promise<readonly Failure[]> {
    try {
      const stored = await this.#stored(batch.map(({ key }) => key));
      const unknown = batch.filter(({ key }) => !stored.has(key));
      const failures = await this.#create(unknown, username, visible);
      const known = batch.filter(({ key }) => stored.has(key));
      for (let from = 0; from < known.length; from += AT_ONCE) {
        const changes = known
          .slice(from, from + AT_ONCE)
          .map((sighting) => this.#change(username, sighting, stored.get(sighting.key), visible));
        failures.push(...(await Promise.all(changes)).flat());
      }
      return failures;
    } catch (error) {
      return batch.map(({ name }) => ({ name, error }));
    }
  }

  /** Returns the stored analytics of those names that have one. */
  async #stored(keys: readonly string[]): Promise<ReadonlyMap<string, Stored>> {
    const stored = new Map<string, Stored>();
    for (const key of keys) {
      const known = this.#current(key);
      if (known) stored.set(key, { id: known.id, duplicates: [] });
    }
    const values = keys.filter((key) => !stored.has(key));
    if (values.length === 0) return stored;
    const query = { kind: 'terms', field: 'name', values } as const;
    const { items } = await this.#analytics.search({ query, rows: MAX_RESULT_WINDOW }, ALL_MAY_READ);
    for (const { document } of items) {
      const key = lowercase(document.name);
      const first = stored.get(key);
      if (first === undefined) stored.set(key, { id: document.analytic_id, duplicates: [] });
      else first.duplicates.push(document);
    }
    return stored;
  }

  async #change(
    username: string,
    sighting: Sighting,
    { id, duplicates }: Stored = { id: idOf(sighting), duplicates: [] },
    visible: Visible,
  ): Promise<readonly Failure[]> {
    try {
      const enrich = (analytic: Analytic) => enriched([analytic, ...duplicates], username, sighting);
      const changed = await changeDocument(this.#analytics, id, enrich, { access: ALL_MAY_READ, visible });
      for (const duplicate of duplicates) await this.#analytics.delete(duplicate.analytic_id, { visible: 'now' });
      // Deleted since it was found.
      if (!changed) return await this.#create([sighting], username, visible);
      this.#remember(sighting.key, changed.document);
      return [];
    } catch (error) {
      return [{ name: sighting.name, error }];
    }
  }

  async #create(wanted: readonly Sighting[], username: string, visible: Visible): Promise<Failure[]> {
    const documents = wanted.map((sighting) => newAnalytic(username, sighting));
    const results = await this.#analytics.bulk(
      documents.map((document) => ({ kind: 'save', id: document.analytic_id, document, ifVersion: ABSENT })),
      { visible },
    );
    const failures: Failure[] = [];
    for (const [at, document] of documents.entries()) {
      const [sighting, result] = [wanted[at], results[at]];
      if (!sighting) continue;
      if (result?.ok) this.#remember(sighting.key, document);
      // Another request has made it in between.
      else if (result?.code === 'already_exists') {
        failures.push(...(await this.#change(username, sighting, undefined, visible)));
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

/** Derives the identifier from the name, so that several processes make one analytic. */
function idOf({ key }: Sighting): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

function newAnalytic(username: string, sighting: Sighting): Analytic {
  const input = {
    analytic_id: idOf(sighting),
    name: sighting.name,
    owner: username,
    contributors: [username],
    detections: [...sighting.detections].sort(),
    description: PLACEHOLDER,
  };
  return readDocument(analyticDocument, input, { unknown: 'refuse' }).document;
}

function sightings(hits: readonly Pick<Hit, 'howler'>[]): Iterable<Sighting> {
  const found = new Map<string, Sighting>();
  for (const { howler } of hits) {
    const key = lowercase(howler.analytic);
    const sighting = found.get(key) ?? { key, name: howler.analytic, detections: [] };
    found.set(key, sighting);
    if (howler.detection) sighting.detections.push(howler.detection);
  }
  return found.values();
}

/** Returns the first of several analytics of one name, with what the others and the alerts add to it. */
function enriched(stored: readonly [Analytic, ...Analytic[]], username: string, sighting: Sighting): Analytic {
  // Older documents may lack a list.
  const complete = stored.map((analytic) => toOutput(analyticDocument, analytic));
  const [first, ...others] = complete as [Analytic, ...Analytic[]];
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

/** Replaces detections by those that arrived under the same name, in any case. */
function mergedDetections(stored: readonly string[], arrived: readonly string[]): string[] {
  if (arrived.length === 0) return [...stored];
  const names = new Set(arrived.map(lowercase));
  return [...stored.filter((name) => !names.has(lowercase(name))), ...arrived].sort();
}
