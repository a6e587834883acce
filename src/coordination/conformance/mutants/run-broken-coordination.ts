import { embeddedSubjects } from '../../embedded/conformance-subjects.ts';
import { coordinationConformance } from '../index.ts';
import { BROKEN_COORDINATIONS } from './broken-coordinations.ts';

const name = process.argv[2] ?? '';
const broken = BROKEN_COORDINATIONS[name];
if (broken === undefined && name !== 'none') throw new Error(`there is no broken coordination ${name}`);
coordinationConformance(embeddedSubjects(broken?.break).disk);
