import { describe } from 'node:test';
import { bootstrapArea } from '../bootstrap/conformance/bootstrap-area.ts';
import { embeddedSubjects } from './conformance-subjects.ts';

const { memory, disk } = embeddedSubjects();

describe('bootstrap, embedded in memory', () => bootstrapArea({ ...memory, hasLifecycle: true }));
describe('bootstrap, embedded on disk', () => bootstrapArea({ ...disk, hasLifecycle: true, stepsBetweenFaults: 3 }));
