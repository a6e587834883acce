import { coordinationConformance } from '../conformance/index.ts';
import { embeddedSubjects } from './conformance-subjects.ts';

const { memory, disk } = embeddedSubjects();
coordinationConformance(memory);
coordinationConformance(disk);
