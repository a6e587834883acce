import { LRUCache } from 'lru-cache';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import type { Action, Trigger } from '../../documents/kinds/action.ts';
import type { Hit } from '../../documents/kinds/hit.ts';
import type { Actor } from '../../identity/actor.ts';
import type { SavedQueryEvaluator, SkipReason } from '../saved-query.ts';
import { ofAction } from '../workers/run-reports.ts';
import { MAX_ITEM_HITS, readTriggerItem, type TriggerItem } from '../workers/trigger-queue.ts';
import { ActionBatch, type ActionBatchDependencies, type BatchScope, failed } from './action-batch.ts';
import { BASIC_LIMIT, limitOf } from './operation.ts';

interface TriggeredActionsDependencies extends Omit<ActionBatchDependencies, 'log'> {
  actions: Pick<Collection<Action>, 'stream'>;
  hits: Pick<Collection<Hit>, 'getMany' | 'count'>;
  savedQueries: Pick<SavedQueryEvaluator, 'evaluateOrSkip' | 'problemOf'>;
  /** Returns the present rights of a user; undefined when the account is gone or disabled. */
  actorFor: (username: string) => Promise<Actor | undefined>;
  log: { warn(entry: object, message: string): void; error(entry: object, message: string): void };
}

const ALL_ACTIONS = unrestricted('a trigger runs the actions of every owner, with the rights of its own user');
/** Actions of one trigger that run, and those of one owner; further ones are reported. */
const MAX_ACTIONS = 1000;
export const MAX_OWNER_ACTIONS = 200;
/** Milliseconds between two reports that an action is not run. */
const REPORT_INTERVAL = 60_000;
/** Alerts that queries are evaluated on together, within one budget. */
const EVALUATED_AT_ONCE = 100;

/**
 * Runs saved actions whose trigger was fired and whose query matches, as the user who fired it. Which
 * actions match is decided before any of them runs. An action that fails is reported and stops no other.
 */
export class TriggeredActions {
  readonly #dependencies: TriggeredActionsDependencies;
  /** Actions that were reported lately because they are not run. */
  readonly #reported = new LRUCache<string, true>({ max: 10_000, ttl: REPORT_INTERVAL });

  constructor(dependencies: TriggeredActionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Runs the actions for items of a queue; what has a report is not run again. @throws Unavailable */
  runQueued(trigger: Trigger, given: readonly unknown[]): Promise<void> {
    const items = given.flatMap((item) => readTriggerItem(item) ?? []);
    const dropped = given.length - items.length;
    if (dropped > 0)
      this.#dependencies.log.warn({ trigger, dropped }, 'items of a queue are not triggers and were dropped');
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
    const owned = new Map<string, number>();
    const query = { kind: 'term', field: 'triggers', value: trigger } as const;
    for await (const { document } of this.#dependencies.actions.stream({ query }, ALL_ACTIONS)) {
      const owner = document.owner ?? '';
      const count = (owned.get(owner) ?? 0) + 1;
      owned.set(owner, count);
      if (count <= MAX_OWNER_ACTIONS && found.length < MAX_ACTIONS) found.push(document);
      else await this.#reportLeftOut(document, trigger);
    }
    return found;
  }

  async #reportLeftOut({ action_id: id, owner }: Action, trigger: Trigger): Promise<void> {
    if (this.#reported.has(id)) return;
    this.#reported.set(id, true);
    const message = `At most ${MAX_OWNER_ACTIONS} actions of one owner and ${MAX_ACTIONS} of all run at ${trigger}. Take the trigger from others.`;
    const run = { cause: trigger, user: owner ?? '', about: [], outcomes: [failed('Not run', message)] };
    await this.#dependencies.reports.add(ofAction(id), run);
  }

  async #runBatch(scope: BatchScope, actions: readonly Action[]): Promise<void> {
    const { actor, items } = scope;
    const ids = [...new Set(items.flatMap((item) => item.hit_ids))];
    const found = await this.#dependencies.hits.getMany(ids, actor.searchAccess);
    const hits = found.filter((hit) => hit !== undefined);
    if (hits.length === 0) return;
    const matches = await this.#matches(actions, hits, actor);
    const batch = new ActionBatch(this.#dependencies, scope, hits);
    await batch.start();
    for (const [at, action] of actions.entries()) {
      const match = matches[at];
      if (typeof match === 'object' && match.size === 0) continue;
      const open = batch.openHits(action);
      const chosen = typeof match === 'object' ? open.filter((hit) => match.has(hit.howler.id)) : open;
      if (chosen.length === 0) continue;
      if (typeof match === 'object' || match === 'over_budget')
        await batch.run(action, chosen, match === 'over_budget');
      else batch.report(action, chosen, [failed('Invalid query', this.#problemOf(action))]);
    }
    await batch.finish();
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
