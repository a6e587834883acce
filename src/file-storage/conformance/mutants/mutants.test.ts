import { describe } from 'node:test';
import { expectToNotice } from '../../../testing/run-broken-adapter.ts';
import { BROKEN_FILE_STORAGES } from './broken-file-storages.ts';

const SCRIPT = new URL('./run-broken-file-storage.ts', import.meta.url);

// That the suite passes on the sound adapter is a test of that adapter.
describe('the file-storage suite', () => {
  expectToNotice(SCRIPT, BROKEN_FILE_STORAGES);
});
