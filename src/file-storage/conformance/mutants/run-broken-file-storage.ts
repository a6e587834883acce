import { localSubject } from '../../local/conformance-subject.ts';
import { fileStorageConformance } from '../index.ts';
import { BROKEN_FILE_STORAGES, brokenFileStorage } from './broken-file-storages.ts';

const name = process.argv[2] ?? '';
const broken = BROKEN_FILE_STORAGES[name];
if (broken === undefined && name !== 'none') throw new Error(`there is no broken file storage ${name}`);
fileStorageConformance(localSubject(broken && ((sound, folder) => brokenFileStorage(broken, sound, folder))));
