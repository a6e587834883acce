import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAnalysisFiles } from '../../analysis/files/open-analysis-files.ts';
import { SystemValues } from '../../analysis/system/system-values.ts';
import { openEmbeddedCoordination } from '../../coordination/embedded/embedded-coordination.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { installationDocument } from '../../documents/kinds/installation.ts';
import { openLocalFileStorage } from '../../file-storage/local/local-file-storage.ts';
import { enforcedClassification } from './enforced-classification.ts';

/** For tests: files in memory and in a temporary folder, with classifications enforced. */
export async function openTestFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'test-files-'));
  const storage = await openLocalFileStorage({ folder });
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'test' });
  const coordination = await openEmbeddedCoordination({ folder: 'memory' });
  const log = { warn: () => undefined };
  const classification = enforcedClassification;
  const values = new SystemValues({ facts: datastore.collection(installationDocument) });
  const opened = openAnalysisFiles({ values, datastore, coordination, storage, classification, log });
  return {
    ...opened,
    values,
    storage,
    datastore,
    coordination,
    async close() {
      await Promise.all([opened.close(), datastore.close(), coordination.close(), storage.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
