import { setTimeout as sleep } from 'node:timers/promises';
import { type SpawnedProgram, spawnProgram } from '../src/testing/spawn-program.ts';
import { benchAlert } from './alert-documents.ts';
import { CREDENTIALS } from './alert-requests.ts';
import { type Send, sender } from './http-load.ts';
import { processorMilliseconds } from './processor-time.ts';
import type { Figure } from './report.ts';

/** Alerts a second while actions are triggered, and while rules are evaluated. */
const TRIGGER_RATE = 500;
const RULE_RATE = 1000;
const ACTIONS = 20;
const RULES = 1000;
const CASES = 20;
const SAMPLES = 40;
/** Seconds within which the last change has its effect: there is no backlog. */
const NO_BACKLOG = 3;

type Say = (text: string) => void;
interface Answered<T> {
  readonly api_response: T;
}
interface Created {
  readonly valid: readonly { readonly howler: { readonly id: string } }[];
}

/** Measures triggered actions and rules of cases, each in a program of its own. */
export async function measureWork(seconds: number, now: number, say: Say): Promise<Figure[]> {
  return [...(await measureTriggers(seconds, now, say)), ...(await measureRules(seconds, now, say))];
}

/** A program under load, with what is sent to it. */
interface Subject {
  readonly send: Send;
  readonly program: SpawnedProgram;
  readonly say: Say;
}

async function withProgram<T>(say: Say, work: (subject: Subject) => Promise<T>): Promise<T> {
  const program = await spawnProgram({ flags: ['--demo=users'] });
  const { send, close } = sender({ base: program.alerts, headers: CREDENTIALS }, 4);
  try {
    return await work({ send, program, say });
  } finally {
    close();
    await program.stop();
  }
}

/** Actions that label half of the alerts on average, and one for samples. */
function measureTriggers(seconds: number, now: number, say: Say): Promise<Figure[]> {
  return withProgram(say, async (subject) => {
    const { send } = subject;
    for (let action = 0; action < ACTIONS; action += 1) {
      const query = action === 0 ? 'tags:sample' : `howler.analytic:* AND event.severity:[${action * 5} TO *]`;
      const operations = [{ operation_id: 'add_label', data_json: JSON.stringify({ label: `action ${action}` }) }];
      const body = { name: `Action ${action}`, query, triggers: ['create'], operations };
      await post(send, '/api/v1/action?refresh=wait_for', body);
    }
    const effect = async () => {
      const id = await sample(send);
      return waited(async () => (await send('GET', `/api/v1/hit/${id}`)).body.includes('"action 0"'));
    };
    say('triggered actions, idle');
    const times: number[] = [];
    for (let count = 0; count < SAMPLES; count += 1) times.push(await effect());
    say(`${TRIGGER_RATE} alerts/s with ${ACTIONS} triggered actions`);
    const rate = await arrive(subject, TRIGGER_RATE, seconds, now);
    const after = await effect();
    say(`  ${processorMilliseconds(subject.program.child.pid ?? 0)} ms of processor time in all`);
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
    const busy = `${seconds} s of ${TRIGGER_RATE} alerts/s with ${ACTIONS} triggered actions`;
    return [
      { name: 'trigger: from the change to the effect, idle, p95', value: p95 / 1000, unit: 's', goal: 1.5 },
      { name: busy, value: rate, unit: 'alerts/s', goal: 0.98 * TRIGGER_RATE },
      { name: 'from a change after it to the effect', value: after / 1000, unit: 's', goal: NO_BACKLOG },
    ];
  });
}

/** Rules for hosts, for analytics with a range, and for wildcards alone; one of each case for samples. */
function ruleQuery(number: number): string {
  if (number % 10 === 0) return `process.command_line:*zz${number}* AND source.port:[1 TO *]`;
  if (number % 10 < 5) return `howler.analytic:"DNS Tunnel" AND destination.port:[${70_000 + number} TO *]`;
  return `host.name:ws-${String(number * 20).padStart(5, '0')} AND event.severity:[1 TO *]`;
}

function measureRules(seconds: number, now: number, say: Say): Promise<Figure[]> {
  return withProgram(say, async (subject) => {
    const { send } = subject;
    say(`${RULE_RATE} alerts/s without rules`);
    const without = await arrive(subject, RULE_RATE, seconds, now);
    let caseId = '';
    for (let number = 0; number < CASES; number += 1) {
      const rules = Array.from({ length: RULES / CASES }, (_, rule) => ({
        rule_id: `rule-${number}-${rule}`,
        query: rule === 0 ? 'tags:sample' : ruleQuery(number * (RULES / CASES) + rule),
        destination: 'found/{{howler.id}}',
        author: 'admin',
      }));
      const made = await post<{ case_id: string }>(send, '/api/v2/case', { title: `Case ${number}`, summary: 'Bench' });
      caseId = made.case_id;
      await send('PUT', `/api/v2/case/${caseId}`, JSON.stringify({ rules }));
    }
    say(`${RULE_RATE} alerts/s with ${RULES} rules`);
    const withRules = await arrive(subject, RULE_RATE, seconds, now);
    const id = await sample(send);
    const filed = await waited(async () => (await send('GET', `/api/v2/case/${caseId}`)).body.includes(id));
    return [
      {
        name: `${RULE_RATE} alerts/s with ${RULES} rules of cases`,
        value: withRules,
        unit: 'alerts/s',
        goal: 0.9 * without,
      },
      {
        name: `from an arrival after ${seconds} s of it to the case`,
        value: filed / 1000,
        unit: 's',
        goal: NO_BACKLOG,
      },
    ];
  });
}

/** Sends alerts at a rate, in ten batches a second; returns the alerts a second that were answered. */
async function arrive({ send, program, say }: Subject, rate: number, seconds: number, now: number): Promise<number> {
  const batch = rate / 10;
  const started = performance.now();
  const before = processorMilliseconds(program.child.pid ?? 0);
  const pending: Promise<unknown>[] = [];
  let number = 0;
  for (let due = started; due < started + seconds * 1000; due += 100) {
    await sleep(Math.max(0, due - performance.now()));
    const alerts = Array.from({ length: batch }, () => benchAlert(number++, now));
    pending.push(send('POST', '/api/v1/hit/', JSON.stringify(alerts)));
    if (pending.length > 4) await pending.shift();
  }
  await Promise.all(pending);
  const reached = (number / (performance.now() - started)) * 1000;
  const processor = (processorMilliseconds(program.child.pid ?? 0) - before) / number;
  say(`  ${Math.round(reached)} alerts/s, ${processor.toFixed(2)} ms of processor time for each`);
  return reached;
}

async function sample(send: Send): Promise<string> {
  const created = await post<Created>(send, '/api/v1/hit', [{ 'howler.analytic': 'Bench', tags: ['sample'] }]);
  return created.valid[0]?.howler.id ?? '';
}

/** Milliseconds until it holds, at most two minutes: a backlog is a figure and must not end a long run. */
async function waited(holds: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < 120_000 && !(await holds())) await sleep(10);
  return performance.now() - started;
}

async function post<T>(send: Send, path: string, body: unknown): Promise<T> {
  const { body: text } = await send('POST', path, JSON.stringify(body));
  return (JSON.parse(text) as Answered<T>).api_response;
}
