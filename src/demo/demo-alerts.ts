import { eventEntry } from '../alerts/hits/changes/hit-log.ts';
import { HitComments } from '../alerts/hits/comments/hit-comments.ts';
import { HitStore } from '../alerts/hits/hit-store.ts';
import { readNewHit } from '../alerts/hits/new-record.ts';
import { applyTransition } from '../alerts/hits/triage/hit-triage.ts';
import type { TransitionData, TransitionName } from '../alerts/hits/triage/triage-transitions.ts';
import type { ClassificationEngine } from '../classification/classification.ts';
import type { Collection, Versioned } from '../datastore/port/collection.ts';
import type { Hit } from '../documents/kinds/hit.ts';
import { formatDate } from '../documents/schema/values/date-values.ts';
import { type AlertInput, alertInputs } from './alert-inputs.ts';
import { demoActor } from './demo-actor.ts';
import type { DemoRandom } from './demo-random.ts';
import { saveAll } from './save-all.ts';
import { ANALYSTS, type Analyst, type Course, commentOn, courseOf } from './triage-courses.ts';

export interface DemoAlertDependencies {
  hits: Collection<Hit>;
  classification: ClassificationEngine;
  now: Date;
  random: DemoRandom;
}

/** The user who sends alerts. */
const SENDER = 'admin';
const MINUTE = 60_000;

/** Writes `count` alerts and the work that was done on them; as they are then, oldest first. */
export async function createDemoAlerts(dependencies: DemoAlertDependencies, count: number): Promise<readonly Hit[]> {
  const { hits, classification, now, random } = dependencies;
  const inputs = alertInputs(count, now, random, {
    everybody: classification.unrestricted,
    few: classification.restricted,
  });
  const alerts = inputs.map((input) => arrivedAlert(input, classification, random));
  await saveAll(hits, alerts, (hit) => hit.howler.id);
  // The course of each is drawn before any is written: which write ends first must not change the demo.
  const work = alerts.map((hit, index) => plannedWork(hit, inputs[index]?.at ?? now, dependencies));
  return Promise.all(alerts.map((hit, index) => workOn(hit, work[index] ?? [], hits)));
}

function arrivedAlert({ at, input }: AlertInput, classification: ClassificationEngine, random: DemoRandom): Hit {
  const { record: hit } = readNewHit(input, { classification, now: at });
  const id = random.id();
  const log = [eventEntry({ username: SENDER, now: formatDate(at) }, 'Created hit')];
  return { ...hit, event: { ...hit.event, id }, howler: { ...hit.howler, id, log } } as Hit;
}

/** An action of an analyst at a given time. */
type Step = { readonly at: Date; readonly by: Analyst } & (
  | { readonly kind: 'take' | 'pause' }
  | { readonly kind: 'give'; readonly to: Analyst }
  | { readonly kind: 'assess'; readonly course: Extract<Course, { kind: 'resolved' }> }
  | { readonly kind: 'vote'; readonly vote: 'benign' | 'malicious' | 'obscure' }
  | { readonly kind: 'comment'; readonly text: string }
);

function plannedWork(hit: Hit, arrived: Date, { now, random }: DemoAlertDependencies): readonly Step[] {
  const age = (now.getTime() - arrived.getTime()) / (30 * 24 * 60 * MINUTE);
  const course = courseOf(hit.howler.score ?? 0, age, random);
  const comment = commentOn(course, random);
  let time = arrived.getTime();
  const later = (most: number) => {
    time = Math.min(time + random.integer(2, most) * MINUTE, now.getTime() - MINUTE);
    return new Date(time);
  };
  if (course.kind === 'untouched') {
    if (!random.chance(0.1)) return [];
    const vote = random.pick(['benign', 'malicious', 'obscure'] as const);
    return [{ kind: 'vote', at: later(600), by: random.pick(ANALYSTS), vote }];
  }
  const by = course.analyst;
  const steps: Step[] = [
    course.kind === 'assigned'
      ? { kind: 'give', at: later(240), by: 'admin', to: by }
      : { kind: 'take', at: later(600), by },
  ];
  if (comment !== undefined) steps.push({ kind: 'comment', at: later(60), by, text: comment });
  if (course.kind === 'paused') steps.push({ kind: 'pause', at: later(45), by });
  if (course.kind === 'resolved') steps.push({ kind: 'assess', at: later(300), by, course });
  return steps;
}

async function workOn(hit: Hit, steps: readonly Step[], hits: Collection<Hit>): Promise<Hit> {
  let present = hit;
  for (const step of steps) present = (await perform(step, hit.howler.id, hits)).document;
  return present;
}

/** Does it by the services of the interface, at the time of the step. */
function perform(step: Step, id: string, hits: Collection<Hit>): Promise<Versioned<Hit>> {
  const store = new HitStore({ hits, changed: async () => {}, clock: () => step.at });
  const actor = demoActor(step.by);
  const transition = (name: TransitionName, data: TransitionData = {}) =>
    applyTransition(store, actor, id, name, data, {});
  switch (step.kind) {
    case 'take':
      return transition('assign_to_me');
    case 'give':
      return transition('assign_to_other', { assignee: step.to });
    case 'pause':
      return transition('pause');
    case 'assess':
      return transition('assess', { assessment: step.course.assessment, rationale: step.course.rationale });
    case 'vote':
      return transition('vote', { vote: step.vote, email: `${step.by}@howler.cyber.gc.ca` });
    case 'comment':
      return new HitComments({ store }).add(actor, id, step.text);
  }
}
