import { setTimeout as sleep } from 'node:timers/promises';
import { benchAlert } from './alert-documents.ts';
import { requests } from './alert-requests.ts';
import { sender, type Target } from './http-load.ts';

export type Say = (text: string) => void;

/** Alerts of one request. */
export const BATCH = 100;

/** Stores alerts `from` up to `to` in batches over two connections; returns alerts per second. */
export async function load(target: Target, from: number, to: number, now: number, say: Say): Promise<number> {
  const { send, close } = sender(target, 2);
  let next = from;
  let reported = from;
  const started = performance.now();
  const rateUntil = (number: number) => ((number - from) / (performance.now() - started)) * 1000;
  const worker = async () => {
    while (next < to) {
      const first = next;
      next = Math.min(to, first + BATCH);
      const body = JSON.stringify(Array.from({ length: next - first }, (_, i) => benchAlert(first + i, now)));
      await send('POST', '/api/v1/hit/', body);
      if (first - reported < 50_000) continue;
      reported = first;
      say(`  ${first.toLocaleString('en')} alerts, ${Math.round(rateUntil(first))}/s`);
    }
  };
  await Promise.all([worker(), worker()]);
  close();
  return rateUntil(to);
}

/** A load under which searches are measured. */
export interface Arrivals {
  /** Number of the first alert that arrives. */
  readonly first: number;
  readonly rate: number;
  readonly now: number;
  readonly isOver: () => boolean;
  readonly say: Say;
}

/** Searches while alerts arrive. Returns how long each search took, in milliseconds. */
export async function searchUnderLoad(target: Target, { first, rate, now, isOver, say }: Arrivals): Promise<number[]> {
  const writer = sender(target, 2);
  const searcher = sender(target, 1);
  const started = performance.now();
  let next = first;
  const write = async () => {
    for (let due = started; !isOver(); due += 100) {
      await sleep(Math.max(0, due - performance.now()));
      const batch = Array.from({ length: rate / 10 }, () => benchAlert(next++, now));
      await writer.send('POST', '/api/v1/hit/', JSON.stringify(batch));
    }
  };
  const times: number[] = [];
  const read = async () => {
    while (!isOver()) {
      const began = performance.now();
      await requests.search(searcher.send);
      times.push(performance.now() - began);
    }
  };
  await Promise.all([write(), read()]);
  writer.close();
  searcher.close();
  say(`  ${Math.round(((next - first) / (performance.now() - started)) * 1000)} alerts/s arrived meanwhile`);
  return times;
}
