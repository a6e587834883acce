import { describe, it } from 'node:test';
import { contentArea } from './content.ts';
import { refusalsArea } from './refusals.ts';
import type { FileStorageSubject } from './subject.ts';
import { togetherArea } from './together.ts';

export type { FileStorageSubject, OpenFileStorage } from './subject.ts';

/** Registers the tests that every adapter of the file-storage port passes. */
export function fileStorageConformance(subject: FileStorageSubject): void {
  if (subject.unavailable !== undefined) {
    it(`${subject.name}: not run`, { skip: subject.unavailable });
    return;
  }
  describe(`${subject.name}: content`, () => contentArea(subject));
  describe(`${subject.name}: refusals`, () => refusalsArea(subject));
  describe(`${subject.name}: together`, () => togetherArea(subject));
}
