import { describe } from 'node:test';
import { bootstrapArea } from '../../bootstrap/conformance/bootstrap-area.ts';
import { embeddedSubjects } from '../conformance-subjects.ts';

const { memory, disk } = embeddedSubjects();

// Before every second step and after it is after every step.
describe('bootstrap, embedded in memory', () =>
  bootstrapArea({ ...memory, hasLifecycle: true, stepsBetweenFaults: 2 }));
describe('bootstrap, embedded on disk', () => bootstrapArea({ ...disk, hasLifecycle: true, stepsBetweenFaults: 7 }));
