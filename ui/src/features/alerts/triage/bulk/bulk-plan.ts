import type { LabelSet, Status } from '../alert.ts';
import { type Change, movesTriage } from '../changes/changes.ts';
import { type OfferedTransitions, type Refusal, type Step, stepsOf } from '../changes/transitions.ts';
import type { Target } from '../targets.ts';

/** Up to this number, alerts are changed by single requests, each with its version. */
export const MAX_SINGLE = 50;
/** Single requests at the same time. */
export const SINGLES_AT_ONCE = 6;
/** Alerts of one request of an action: fast, and a cancel between two of them comes soon. */
const MAX_PART = 100;

/** One request of an action: an operation with its arguments, and the alerts that it is for. */
export interface Operation {
  readonly operation_id: 'transition' | 'add_label' | 'remove_label' | 'add_to_case';
  readonly data: Readonly<Record<string, string>>;
}

/** Alerts that take the same operations, in order. */
export interface Part {
  readonly operations: readonly Operation[];
  readonly targets: readonly Target[];
}

export interface BulkPlan {
  /** Alerts for single requests. */
  readonly singles: readonly Target[];
  /** Parts for an action in the background. */
  readonly parts: readonly Part[];
  /** Alerts that the change makes no sense for. */
  readonly refused: readonly { readonly id: string; readonly refusal: Refusal }[];
}

export interface Capabilities {
  readonly me: string;
  readonly offered: OfferedTransitions;
  /** User types of the person. */
  readonly roles: readonly string[];
}

const ADVANCED = ['automation_advanced', 'actionrunner_advanced', 'admin'];
const BASIC = ['automation_basic', 'actionrunner_basic', 'admin'];
/** Alerts of one run without an advanced role (contract of the alert service, section 6.2). */
const BASIC_TRANSITIONS = 10;
const BASIC_LABELS = 20;

/** Decides how a change of many alerts is made. */
export function planBulk(change: Change, targets: readonly Target[], capabilities: Capabilities): BulkPlan {
  const { me, offered, roles } = capabilities;
  const refused: { id: string; refusal: Refusal }[] = [];
  const groups = new Map<string, { operations: readonly Operation[]; targets: Target[] }>();
  const accepted: Target[] = [];
  for (const target of targets) {
    const steps = movesTriage(change) ? stepsOf(change, target.seen, me, offered) : [];
    if (typeof steps === 'string') {
      refused.push({ id: target.id, refusal: steps });
      continue;
    }
    accepted.push(target);
    const operations = operationsOf(change, steps, target.seen.status);
    const key = JSON.stringify(operations);
    const group = groups.get(key) ?? { operations, targets: [] };
    groups.set(key, group);
    group.targets.push(target);
  }
  const size = partSize(change, roles);
  if (accepted.length <= MAX_SINGLE || size === 0) return { singles: accepted, parts: [], refused };
  const parts = [...groups.values()].flatMap(({ operations, targets: members }) =>
    chunks(members, size).map((part) => ({ operations, targets: part })),
  );
  return { singles: [], parts, refused };
}

/** Returns how many alerts one run may have; 0 where the person may run no operation for it. */
function partSize(change: Change, roles: readonly string[]): number {
  const has = (wanted: readonly string[]) => wanted.some((role) => roles.includes(role));
  switch (change.kind) {
    case 'comment':
    case 'vote':
      return 0;
    case 'file':
      return has(['automation_basic', 'admin']) ? MAX_PART : 0;
    case 'label':
      if (has(ADVANCED)) return MAX_PART;
      return has(BASIC) ? BASIC_LABELS : 0;
    default:
      // The operation itself is for basic roles; advanced ones raise its limit.
      if (!has(BASIC)) return 0;
      return has(ADVANCED) ? MAX_PART : BASIC_TRANSITIONS;
  }
}

/** Returns how many alerts one run of any action may have for these roles. */
export function runSize(roles: readonly string[]): number {
  return BASIC.some((role) => roles.includes(role)) && !ADVANCED.some((role) => roles.includes(role))
    ? BASIC_TRANSITIONS
    : MAX_PART;
}

function operationsOf(change: Change, steps: readonly Step[], status: Status): readonly Operation[] {
  switch (change.kind) {
    case 'label':
      return [
        ...change.add.map((label) => labelOperation('add_label', change.set, label)),
        ...change.remove.map((label) => labelOperation('remove_label', change.set, label)),
      ];
    case 'file': {
      const destination = change.path === undefined ? {} : { destination: `${change.path}/${ITEM_NAME}` };
      return [{ operation_id: 'add_to_case', data: { case_id: change.caseId, ...destination } }];
    }
    case 'comment':
    case 'vote':
      return [];
    default: {
      let present = status;
      return steps.map(({ transition, data }) => {
        const operation = { status: present, transition, ...data };
        // Only a transition that opens an alert is followed by another one.
        present = 'in-progress';
        return { operation_id: 'transition', data: operation };
      });
    }
  }
}

/** Template of the name of an item, filled by the service. */
const ITEM_NAME = '{{howler.analytic}} ({{howler.id}})';

function labelOperation(operation_id: 'add_label' | 'remove_label', category: LabelSet, label: string): Operation {
  return { operation_id, data: { category, label } };
}

/** Cuts a list into parts of at most `size`. */
export function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
