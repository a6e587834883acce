import { momentsBefore } from './alert-timeline.ts';
import type { DemoRandom } from './demo-random.ts';
import { ATTACKERS, COMPANY, WORKSTATIONS, type Workstation } from './organisation.ts';
import { CLOUD_SCENARIOS } from './scenarios/cloud-scenarios.ts';
import { EXECUTION_SCENARIOS } from './scenarios/execution-scenarios.ts';
import { FOOTHOLD_SCENARIOS } from './scenarios/foothold-scenarios.ts';
import { IDENTITY_SCENARIOS } from './scenarios/identity-scenarios.ts';
import { INTRUSION_SCENARIOS } from './scenarios/intrusion-scenarios.ts';
import { type AlertFacts, type Detection, type Scene, SENSORS } from './scenarios/scenario.ts';
import { TRAFFIC_SCENARIOS } from './scenarios/traffic-scenarios.ts';

export const DETECTIONS: readonly Detection[] = [
  ...IDENTITY_SCENARIOS,
  ...CLOUD_SCENARIOS,
  ...EXECUTION_SCENARIOS,
  ...FOOTHOLD_SCENARIOS,
  ...INTRUSION_SCENARIOS,
  ...TRAFFIC_SCENARIOS,
];

/** An alert as its sensor sends it, and when. */
export interface AlertInput {
  readonly at: Date;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Analytic whose alerts few people may see. */
const SECRET_ANALYTIC = 'SecretAnalytic';
/** Number of initial alerts that are visible to every user of the demo. */
const FOR_EVERYBODY = 20;

/**
 * `count` alerts of the last 30 days before `now`, oldest first.
 * The last one is of `SecretAnalytic` and names no detection.
 */
export function alertInputs(
  count: number,
  now: Date,
  random: DemoRandom,
  classifications: { readonly everybody: string; readonly few: string },
): AlertInput[] {
  return momentsBefore(now, count, random).map((at, index) => {
    const detection = random.weighted(DETECTIONS);
    const scene: Scene = {
      random,
      at,
      workstation: random.pick(workstationsFor(detection)),
      attacker: random.pick(ATTACKERS),
    };
    const facts = detection.build(scene);
    const last = index === count - 1;
    const forFew = last || (index >= FOR_EVERYBODY && random.chance(0.12));
    const input = alertInput(scene, detection, facts);
    return {
      at,
      input: {
        ...input,
        classification: forFew ? classifications.few : classifications.everybody,
        howler: { ...input.howler, ...(last ? { analytic: SECRET_ANALYTIC, detection: undefined } : {}) },
      },
    };
  });
}

const WINDOWS_WORKSTATIONS = WORKSTATIONS.filter(({ system }) => system.startsWith('Windows'));

function workstationsFor({ sensor }: Detection): readonly Workstation[] {
  return sensor === SENSORS.endpoint || sensor === SENSORS.windows ? WINDOWS_WORKSTATIONS : WORKSTATIONS;
}

function alertInput(
  { random, at, workstation }: Scene,
  detection: Detection,
  facts: AlertFacts,
): { readonly howler: Record<string, unknown> } & Record<string, unknown> {
  const { sensor, technique } = detection;
  const { related, threat, ...fields } = facts.fields;
  const seen = new Date(at.getTime() - random.integer(20, 900) * 1000).toISOString();
  const labels = {
    ...(workstation.owner.department === 'Executive' ? { victim: ['vip'] } : {}),
    ...(facts.outline.indicators.includes('maplecrest-benefits.example') ? { campaign: ['benefits-lure'] } : {}),
  };
  return {
    timestamp: at.toISOString(),
    message: facts.message,
    tags: [sensor.type, detection.category[0] ?? 'other'],
    organization: { name: COMPANY.name },
    observer: { vendor: sensor.vendor, product: sensor.product, type: sensor.type },
    agent: { type: sensor.type, name: sensor.product },
    event: {
      kind: 'alert',
      category: detection.category,
      type: detection.type,
      action: facts.action,
      outcome: facts.outcome,
      severity: facts.severity,
      dataset: sensor.dataset,
      provider: sensor.provider,
      created: at.toISOString(),
      start: seen,
      ingested: at.toISOString(),
      reason: facts.outline.summary,
    },
    rule: { name: `${detection.analytic}: ${detection.detection}`, category: technique.tactic.name },
    ...fields,
    threat: {
      ...(typeof threat === 'object' ? threat : {}),
      framework: 'MITRE ATT&CK',
      tactic: technique.tactic,
      technique: { id: technique.id, name: technique.name },
    },
    related: { ...(typeof related === 'object' ? related : {}) },
    howler: {
      analytic: detection.analytic,
      detection: detection.detection,
      score: facts.score,
      reliability: random.decimal(3, 9),
      severity: facts.severity,
      volume: random.decimal(1, 6),
      confidence: random.decimal(3, 9),
      outline: facts.outline,
      labels,
      data: [JSON.stringify({ '@timestamp': seen, ...facts.raw })],
    },
  };
}
