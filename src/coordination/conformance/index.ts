import { describe, it } from 'node:test';
import { countersArea } from './counters.ts';
import { eventsArea } from './events.ts';
import { lifecycleArea } from './lifecycle.ts';
import { locksArea } from './locks.ts';
import { queueIdsArea } from './queue-ids.ts';
import { queuesArea } from './queues.ts';
import type { CoordinationSubject } from './subject.ts';
import { tablesArea } from './tables.ts';
import { tokensArea } from './tokens.ts';

export type { CoordinationSubject, OpenCoordination } from './subject.ts';

/** Registers the tests that every adapter of the coordination port passes. */
export function coordinationConformance(subject: CoordinationSubject): void {
  if (subject.unavailable !== undefined) {
    it(`${subject.name}: not run`, { skip: subject.unavailable });
    return;
  }
  describe(`${subject.name}: tokens`, () => tokensArea(subject));
  describe(`${subject.name}: counters`, () => countersArea(subject));
  describe(`${subject.name}: locks`, () => locksArea(subject));
  describe(`${subject.name}: queues`, () => queuesArea(subject));
  describe(`${subject.name}: queue ids`, () => queueIdsArea(subject));
  describe(`${subject.name}: tables`, () => tablesArea(subject));
  describe(`${subject.name}: events`, () => eventsArea(subject));
  describe(`${subject.name}: lifecycle`, () => lifecycleArea(subject));
}
