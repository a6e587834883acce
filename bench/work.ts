import { setTimeout as sleep } from 'node:timers/promises';
import { spawnProgram } from '../src/testing/spawn-program.ts';
import { benchAlert } from './alert-documents.ts';
import { CREDENTIALS } from './alert-requests.ts';
import { type Send, sender } from './http-load.ts';
import type { Figure } from './report.ts';

/** Alerts a second while actions are triggered, and while rules are evaluated. */
const TRIGGER_RATE = 500;
const RULE_RATE = 1000;
const ACTIONS = 20;
const RULES = 1000;
const CASES = 20;
const SAMPLES = 40;

interface Answered<T> {
  readonly api_response: T;
}
interface Created {
  readonly valid: readonly { readonly howler: { readonly id: string } }[];
}

/** Measures triggered actions and rules of cases, each in a program of its own. */
export async function measureWork(seconds: number, now: number, say: (text: string) => void): Promise<Figure[]> {
  return [...(await measureTriggers(seconds, now, say)), ...(await measureRules(seconds, now, say))];
}

async function withProgram<T>(work: (send: Send) => Promise<T>): Promise<T> {
  const program = await spawnProgram({ flags: ['--demo=users'] });
  const { send, close } = sender({ base: program.alerts, headers: CREDENTIALS }, 4);
  try {
    return await work(send);
  } finally {
    close();
    await program.stop();
  }
}

function measureTriggers(seconds: number, now: number, say: (text: string) => void): Promise<Figure[]> {
  return withProgram(async (send) => {
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
    await arrive(send, TRIGGER_RATE, seconds, now);
    const after = await effect();
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
    return [
      { name: 'trigger: from the change to the effect, idle, p95', value: p95 / 1000, unit: 's', goal: 1.5 },
      {
        name: `the same after ${seconds} s of ${TRIGGER_RATE} alerts/s and ${ACTIONS} actions`,
        value: after / 1000,
        unit: 's',
        goal: 3,
      },
    ];
  });
}

function measureRules(seconds: number, now: number, say: (text: string) => void): Promise<Figure[]> {
  return withProgram(async (send) => {
    say(`${RULE_RATE} alerts/s without rules`);
    const without = await arrive(send, RULE_RATE, seconds, now);
    let caseId = '';
    for (let number = 0; number < CASES; number += 1) {
      const rules = Array.from({ length: RULES / CASES }, (_, rule) => ({
        rule_id: `rule-${number}-${rule}`,
        query: rule === 0 ? 'tags:sample' : `howler.analytic:"Analytic ${number} ${rule}" AND event.severity:[1 TO *]`,
        destination: 'found/{{howler.id}}',
      }));
      const made = await post<{ case_id: string }>(send, '/api/v2/case', { title: `Case ${number}`, summary: 'Bench' });
      caseId = made.case_id;
      await send('PUT', `/api/v2/case/${caseId}`, JSON.stringify({ rules }));
    }
    say(`${RULE_RATE} alerts/s with ${RULES} rules`);
    const withRules = await arrive(send, RULE_RATE, seconds, now);
    const id = await sample(send);
    const filed = await waited(async () => (await send('GET', `/api/v2/case/${caseId}`)).body.includes(id));
    return [
      { name: `ingest with ${RULES} rules of cases`, value: withRules, unit: 'alerts/s', goal: 0.9 * without },
      { name: `from arrival to the case after ${seconds} s of it`, value: filed / 1000, unit: 's', goal: 3 },
    ];
  });
}

/** Sends alerts at a rate, in ten batches a second; alerts a second that were answered. */
async function arrive(send: Send, rate: number, seconds: number, now: number): Promise<number> {
  const batch = rate / 10;
  const started = performance.now();
  const pending: Promise<unknown>[] = [];
  let number = 0;
  for (let due = started; due < started + seconds * 1000; due += 100) {
    await sleep(Math.max(0, due - performance.now()));
    const alerts = Array.from({ length: batch }, () => benchAlert(number++, now));
    pending.push(send('POST', '/api/v1/hit/', JSON.stringify(alerts)));
    if (pending.length > 4) await pending.shift();
  }
  await Promise.all(pending);
  return (number / (performance.now() - started)) * 1000;
}

async function sample(send: Send): Promise<string> {
  const created = await post<Created>(send, '/api/v1/hit', [{ 'howler.analytic': 'Bench', tags: ['sample'] }]);
  return created.valid[0]?.howler.id ?? '';
}

/** Milliseconds until it holds. */
async function waited(holds: () => Promise<boolean>): Promise<number> {
  const started = performance.now();
  while (!(await holds())) {
    if (performance.now() - started > 120_000) throw new Error('nothing happened within two minutes');
    await sleep(10);
  }
  return performance.now() - started;
}

async function post<T>(send: Send, path: string, body: unknown): Promise<T> {
  const { body: text } = await send('POST', path, JSON.stringify(body));
  return (JSON.parse(text) as Answered<T>).api_response;
}
