import { datastoreConformance } from '../conformance/index.ts';
import { clusterSubjects } from './conformance-subjects.ts';

for (const subject of clusterSubjects()) datastoreConformance(subject);
