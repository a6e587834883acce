import { embeddedSubjects } from '../../embedded/conformance-subjects.ts';
import { datastoreConformance } from '../index.ts';
import { BROKEN_DATASTORES, breakDatastore } from './broken-datastores.ts';

const name = process.argv[2] ?? '';
const broken = BROKEN_DATASTORES[name];
if (broken === undefined) throw new Error(`There is no broken datastore ${name}.`);
datastoreConformance(embeddedSubjects((sound) => breakDatastore(sound, broken)).memory);
