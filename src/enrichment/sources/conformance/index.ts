import { describe } from 'node:test';
import { deadlinesArea } from './deadlines.ts';
import { lookupsArea } from './lookups.ts';
import { operationsArea } from './operations.ts';
import type { SourceMutation, SourceSubject } from './subject.ts';

export type { SourceMutation, SourceSubject } from './subject.ts';

/**
 * Registers the tests that every adapter of the port SourceClient passes, as routes see it:
 * through a Source.
 */
export function sourceConformance(subject: SourceSubject, mutation?: SourceMutation): void {
  describe(`${subject.name}: lookups`, () => lookupsArea(subject, mutation));
  describe(`${subject.name}: deadlines`, () => deadlinesArea(subject, mutation));
  describe(`${subject.name}: operations`, () => operationsArea(subject, mutation));
}
