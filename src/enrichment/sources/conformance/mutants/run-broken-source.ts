import { IN_PROCESS_SUBJECT } from '../../in-process/conformance-subject.ts';
import { sourceConformance } from '../index.ts';
import { BROKEN_SOURCES } from './broken-sources.ts';

const name = process.argv[2] ?? '';
const broken = BROKEN_SOURCES[name];
if (broken === undefined && name !== 'none') throw new Error(`there is no broken source ${name}`);
sourceConformance(IN_PROCESS_SUBJECT, broken?.mutation);
