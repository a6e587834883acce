import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Action, Trigger } from '../../documents/kinds/action.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import { newId } from '../../documents/schema/values/field-values.ts';
import { isTriadError, isUnavailable, messageOf } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import type { AuditLog } from '../../identity/audit/audit-log.ts';
import type { SavedQueryEvaluator, SkipReason } from '../saved-query.ts';
import { ofAction, type RunOutcome, type RunReports } from '../workers/run-reports.ts';
import { MAX_ITEM_HITS, readTriggerItem, type TriggerItem } from '../workers/trigger-queue.ts';
import type { ActionExecution, ExecutionRequest } from './action-execution.ts';
import { BASIC_LIMIT, limitOf, queryOfIds } from './operation.ts';

interface TriggeredActionsDependencies {
  actions: Pick<Collection<Action>, 'stream'>;
  hits: Pick<Collection<Hit>, 'getMany' | 'count'>;
  execution: Pick<ActionExecution, 'run'>;
  savedQueries: Pick<SavedQueryEvaluator, 'evaluateOrSkip' | 'problemOf'>;
  reports: RunReports;
  /** Returns the present rights of a user; undefined when the account is gone or disabled. */
  actorFor: (username: string) => Promise<Actor | undefined>;
  audit: AuditLog;
  log: { warn(entry: object, message: string): void; error(entry: object, message: string): void };
  counter: { inc(labels: { readonly trigger: Trigger }): void };
}

const ALL_ACTIONS = unrestricted('a trigger runs the actions of every owner, with the rights of its own user');
/** Actions of one trigger; further ones, by their identifiers, do not run. */
const MAX_ACTIONS = 1000;
/** Alerts that queries are evaluated on together, within one budget. */
const EVALUATED_AT_ONCE = 100;
/** Milliseconds between two looks for new alerts that a search engine does not show yet, and how many. */
const LOOK_INTERVAL = 250;
const MAX_LOOKS = 8;

/** The alerts of one user that a run of each action may take. */
interface Batch {
  readonly trigger: Trigger;
  readonly actor: Actor;
  readonly depth: number;
  readonly items: readonly TriggerItem[];
  /** True for items of a queue, which may be delivered a second time. */
  readonly isQueued: boolean;
}

/**
 * Runs saved actions whose trigger was fired and whose query matches, as the user who fired it. Which
 * actions match is decided before any of them runs. An action that fails is reported and stops no other.
 */
export class TriggeredActions {
  readonly #dependencies: TriggeredActionsDependencies;

  constructor(dependencies: TriggeredActionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Runs the actions for items of a queue; what has a report is not run again. @throws Unavailable */
  runQueued(trigger: Trigger, given: readonly unknown[]): Promise<void> {
    const items = given.flatMap((item) => readTriggerItem(item) ?? []);
    return this.#run(trigger, items, true);
  }

  /** Runs the actions for items that could not be queued. @throws Unavailable */
  runInline(trigger: Trigger, items: readonly TriggerItem[]): Promise<void> {
    return this.#run(trigger, items, false);
  }

  async #run(trigger: Trigger, items: readonly TriggerItem[], isQueued: boolean): Promise<void> {
    const { actorFor, log } = this.#dependencies;
    const actions = items.length === 0 ? [] : await this.#actionsOf(trigger);
    if (actions.length === 0) return;
    for (const group of Map.groupBy(items, ({ depth, user }) => `${depth} ${user}`).values()) {
      const [{ depth, user } = { depth: 1, user: '' }] = group;
      const actor = await actorFor(user);
      if (actor === undefined) {
        log.warn({ trigger, user }, 'a trigger of a user who is gone or disabled was dropped');
        continue;
      }
      for (const batch of batchesOf(group, actor)) {
        await this.#runBatch({ trigger, actor, depth, items: batch, isQueued }, actions);
      }
    }
  }

  async #actionsOf(trigger: Trigger): Promise<readonly Action[]> {
    const found: Action[] = [];
    const query = { kind: 'term', field: 'triggers', value: trigger } as const;
    for await (const { document } of this.#dependencies.actions.stream({ query }, ALL_ACTIONS)) {
      found.push(document);
      if (found.length === MAX_ACTIONS) {
        this.#dependencies.log.warn({ trigger }, `only the first ${MAX_ACTIONS} actions of a trigger are run`);
        break;
      }
    }
    return found;
  }

  async #runBatch(batch: Batch, actions: readonly Action[]): Promise<void> {
    const { hits: collection, reports } = this.#dependencies;
    const { actor, items } = batch;
    const found = await collection.getMany([...new Set(items.flatMap((item) => item.hit_ids))], actor.searchAccess);
    const hits = found.filter((hit) => hit !== undefined);
    if (hits.length === 0) return;
    const matches = await this.#matches(actions, hits, actor);
    const finished = await this.#finished(batch);
    let isSearchable = batch.trigger !== 'create';
    for (const [at, action] of actions.entries()) {
      const open = items.filter((item) => !finished.get(item)?.has(action.action_id));
      const openIds = new Set(open.flatMap((item) => item.hit_ids));
      const openHits = hits.filter(({ howler }) => openIds.has(howler.id));
      const match = matches[at];
      const chosen =
        match === undefined || typeof match === 'string'
          ? openHits
          : openHits.filter((hit) => match.has(hit.howler.id));
      if (chosen.length === 0) continue;
      if (!isSearchable) await this.#awaitSearchable(hits, actor);
      isSearchable = true;
      const outcomes = await this.#runAction(batch, action, chosen, typeof match === 'string' ? match : undefined);
      for (const item of open) finished.get(item)?.add(action.action_id);
      // Before the report: what was reported must not run again, not even after a crash.
      if (batch.isQueued) {
        await Promise.all(open.map((item) => reports.finish(item.id, finished.get(item) ?? new Set<string>())));
      }
      const {
        trigger,
        actor: { username: user },
      } = batch;
      await reports.add(ofAction(action.action_id), { cause: trigger, user, about: chosen, outcomes });
    }
  }

  /** Returns the actions that have a report for each item. */
  async #finished({ items, isQueued }: Batch): Promise<ReadonlyMap<TriggerItem, Set<string>>> {
    const { reports } = this.#dependencies;
    const entries = items.map(async (item) => {
      const actions = isQueued ? await reports.finished(item.id) : [];
      return [item, new Set(actions)] as const;
    });
    return new Map(await Promise.all(entries));
  }

  /** Returns for each action the identifiers of the alerts that match, or why its query was skipped. */
  async #matches(actions: readonly Action[], hits: readonly Hit[], actor: Actor) {
    const queries = actions.map(({ action_id, owner, query }) => ({ id: action_id, owner: owner ?? '', text: query }));
    const matches: (Set<string> | SkipReason)[] = actions.map(() => new Set<string>());
    for (let from = 0; from < hits.length; from += EVALUATED_AT_ONCE) {
      const part = hits.slice(from, from + EVALUATED_AT_ONCE);
      const found = await this.#dependencies.savedQueries.evaluateOrSkip(queries, part, actor.username);
      for (const [at, verdict] of found.entries()) {
        const ids = matches[at];
        if (typeof verdict === 'string') matches[at] = verdict;
        else if (typeof ids === 'object') for (const [n, hit] of part.entries()) if (verdict[n]) ids.add(hit.howler.id);
      }
    }
    return matches;
  }

  /** Waits until searches find new alerts, which operations select by a query. */
  async #awaitSearchable(hits: readonly Hit[], actor: Actor): Promise<void> {
    const query = { kind: 'ids', ids: hits.map(({ howler }) => howler.id) } as const;
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      if ((await this.#dependencies.hits.count({ query }, actor.searchAccess)) >= hits.length) return;
      await sleep(LOOK_INTERVAL);
    }
  }

  /** Runs an action. `skipped`: its query was not evaluated; over a budget it is searched for. */
  async #runAction(
    { trigger, actor, depth }: Batch,
    action: Action,
    hits: readonly Hit[],
    skipped: SkipReason | undefined,
  ): Promise<readonly RunOutcome[]> {
    const { audit, counter } = this.#dependencies;
    if (skipped !== undefined && skipped !== 'over_budget') return [failed('Invalid query', this.#problemOf(action))];
    const ids = hits.map(({ howler }) => howler.id);
    const known = skipped === undefined ? ids : undefined;
    const query = known === undefined ? `${queryOfIds(ids)} AND (${action.query})` : queryOfIds(ids);
    const origin = { actionId: action.action_id, depth };
    const { operations } = action;
    const outcomes = await this.#execute(actor, { requestId: newId(), query, known, operations, origin });
    const { username: user } = actor;
    audit.write({ event: 'action_triggered', service: 'alerts', user, action: action.action_id, trigger });
    counter.inc({ trigger });
    return outcomes;
  }

  async #execute(actor: Actor, request: ExecutionRequest): Promise<readonly RunOutcome[]> {
    try {
      const report = await this.#dependencies.execution.run(actor, request);
      return Object.entries(report).flatMap(([operation_id, outcomes]) =>
        outcomes.map(({ outcome, title, message }) => ({ operation_id, outcome, title, message })),
      );
    } catch (err) {
      if (isUnavailable(err)) throw err;
      if (!isTriadError(err)) this.#dependencies.log.error({ err, ...request.origin }, 'a triggered action failed');
      return [failed('Failed to Execute', isTriadError(err) ? messageOf(err) : 'An internal error; the log has it.')];
    }
  }

  #problemOf({ action_id: id, query: text }: Action): string {
    return this.#dependencies.savedQueries.problemOf({ id, text }) ?? 'The query of the action cannot be read.';
  }
}

/**
 * Returns the items of a user that run together. Of a user with the higher limit as many as it allows;
 * of others each by itself, so that their limit applies to what one request changed, not to what arrived with it.
 */
function batchesOf(items: readonly TriggerItem[], actor: Actor): readonly (readonly TriggerItem[])[] {
  if (limitOf(actor, BASIC_LIMIT) < BASIC_LIMIT.advanced) return items.map((item) => [item]);
  const batches: TriggerItem[][] = [];
  let hits = Number.POSITIVE_INFINITY;
  for (const item of items) {
    hits += item.hit_ids.length;
    if (hits > MAX_ITEM_HITS) {
      batches.push([item]);
      hits = item.hit_ids.length;
    } else batches.at(-1)?.push(item);
  }
  return batches;
}

function failed(title: string, message: string): RunOutcome {
  return { outcome: 'error', title, message };
}
