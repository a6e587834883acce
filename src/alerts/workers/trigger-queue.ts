import type { Coordination } from '../../coordination/coordination.ts';
import { RateLimitedLogger } from '../../coordination/rate-limited-logger.ts';
import type { Trigger } from '../../documents/kinds/action.ts';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { newId } from '../../documents/schema/values/field-values.ts';
import type { Actor } from '../../identity/actor.ts';
import { ofAction, type RunReports } from './run-reports.ts';

/** The run of an action that made a change, and how many triggers came before it. */
export interface TriggerOrigin {
  readonly actionId: string;
  readonly depth: number;
}

/** Alerts that one request or run changed, for the actions of a trigger. */
export interface TriggerItem {
  /** Identifies the item across deliveries. */
  readonly id: string;
  readonly hit_ids: readonly string[];
  /** User who made the change, in whose name the actions run. */
  readonly user: string;
  /** 1: a request made the change; higher ones: a triggered action did. */
  readonly depth: number;
}

/** An alert, as far as triggers need it. */
export interface TriggeringHit {
  readonly howler: { readonly id: string };
  readonly classification: string;
}

type RunItems = (trigger: Trigger, items: readonly TriggerItem[]) => Promise<void>;

interface TriggerQueueDependencies {
  queues: Pick<Coordination['queues'], 'push'>;
  reports: Pick<RunReports, 'add'>;
  log: { warn(entry: object, message: string): void; error(entry: object, message: string): void };
  /** False: actions run before the request is answered. */
  enabled: boolean;
}

/** Triggers in a row that actions may set off, the one of the request included. */
export const MAX_TRIGGER_DEPTH = 5;
/** Alerts of one item, which is also the largest number that an operation takes at once. */
export const MAX_ITEM_HITS = 1000;

/** Returns the name of the queue of a trigger. */
export function queueOf(trigger: Trigger): string {
  return `alerts.triggers.${trigger}`;
}

/** Queues what happened to alerts for the actions that are triggered by it. */
export class TriggerQueue {
  readonly #dependencies: TriggerQueueDependencies;
  readonly #failures: RateLimitedLogger;
  #runInline: RunItems | undefined;

  constructor(dependencies: TriggerQueueDependencies) {
    this.#dependencies = dependencies;
    this.#failures = new RateLimitedLogger(dependencies.log);
  }

  /** Sets what runs the actions of a trigger while there is no queue. */
  runInlineBy(run: RunItems): void {
    this.#runInline = run;
  }

  /**
   * Queues the alerts, or runs the actions at once where there is no queue.
   * Never fails: the change is stored already.
   * @param origin the run that made the change; default: a request
   */
  async fire(
    trigger: Trigger,
    actor: Actor,
    hits: readonly TriggeringHit[],
    origin: TriggerOrigin | undefined,
  ): Promise<void> {
    const depth = (origin?.depth ?? 0) + 1;
    if (origin !== undefined && depth > MAX_TRIGGER_DEPTH) return this.#reportDepth(trigger, actor, hits, origin);
    const items: TriggerItem[] = [];
    for (let at = 0; at < hits.length; at += MAX_ITEM_HITS) {
      const ids = hits.slice(at, at + MAX_ITEM_HITS).map(({ howler }) => howler.id);
      items.push({ id: newId(), hit_ids: ids, user: actor.username, depth });
    }
    if (items.length === 0 || (await this.#push(trigger, items))) return;
    try {
      await this.#runInline?.(trigger, items);
    } catch (err) {
      this.#dependencies.log.error({ err, trigger }, 'the actions of a trigger could not be run');
    }
  }

  async #push(trigger: Trigger, items: readonly TriggerItem[]): Promise<boolean> {
    if (!this.#dependencies.enabled) return false;
    try {
      await this.#dependencies.queues.push(queueOf(trigger), items);
      return true;
    } catch (err) {
      this.#failures.warn({ err, trigger }, 'a trigger could not be queued; its actions run at once');
      return false;
    }
  }

  async #reportDepth(
    trigger: Trigger,
    { username: user }: Actor,
    hits: readonly TriggeringHit[],
    origin: TriggerOrigin,
  ) {
    const message = `The action was run by ${MAX_TRIGGER_DEPTH} triggers in a row, the limit, so it fired no ${trigger}. Change its query or triggers so that actions do not trigger each other.`;
    const outcome = { outcome: 'error', title: 'Too many triggers in a row', message } as const;
    await this.#dependencies.reports.add(ofAction(origin.actionId), {
      cause: trigger,
      user,
      about: hits,
      outcomes: [outcome],
    });
  }
}

/** Reads an item of a queue; undefined for anything else. */
export function readTriggerItem(item: unknown): TriggerItem | undefined {
  if (!isObject(item)) return undefined;
  const { id, hit_ids: ids, user, depth } = item;
  const isItem =
    typeof id === 'string' && isListOfStrings(ids) && typeof user === 'string' && Number.isSafeInteger(depth);
  return isItem ? { id, hit_ids: ids, user, depth: Number(depth) } : undefined;
}

export function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
