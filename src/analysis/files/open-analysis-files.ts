import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Coordination } from '../../coordination/coordination.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { archivedFileDocument } from '../../documents/kinds/analysis/archived.ts';
import { fileDocument } from '../../documents/kinds/analysis/file.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import { Identification } from '../identification/identification.ts';
import { identificationRules } from '../identification/identification-rules.ts';
import type { SystemValues } from '../system/system-values.ts';
import { AnalysisFiles } from './analysis-files.ts';
import { FileUse } from './file-use.ts';
import { type DigestLog, ThreadedDigests } from './threaded-digests.ts';
import { ThreadedZip } from './threaded-zip.ts';

export interface FilesDependencies {
  readonly datastore: Datastore;
  readonly coordination: Pick<Coordination, 'tokens'>;
  readonly storage: FileStorage;
  readonly classification: ClassificationEngine;
  /** Rules that administrators change. Default: those that the program brings along. */
  readonly values?: Pick<SystemValues, 'reader'>;
  readonly log: DigestLog;
}

const ACCESS = unrestricted('content is kept for files that any user may see');

/** Opens what keeps files, and the threads that look at them, which start when they are needed. */
export function openAnalysisFiles(dependencies: FilesDependencies) {
  const { datastore, coordination, storage, classification, values, log } = dependencies;
  const identification = new Identification({ rules: identificationRules(values), log });
  const digests = new ThreadedDigests(log);
  const zip = new ThreadedZip(log);
  const collection = classifiedCollection(datastore.collection(fileDocument), fileDocument, classification);
  // An archive that is switched off keeps its content: someone may switch it on again.
  const archived = datastore.collection(archivedFileDocument);
  const isNeeded = async (sha256: string) => {
    const found = await Promise.all([archived.get(sha256, ACCESS), collection.get(sha256, ACCESS)]);
    return found.some((one) => one !== undefined);
  };
  const use = new FileUse({ tokens: coordination.tokens, storage, isNeeded });
  const files = new AnalysisFiles({ storage, collection, use, classification, identification, digests });
  const close = async () => {
    await Promise.all([identification.close(), digests.close(), zip.close()]);
  };
  return { files, use, collection, identification, zip, close };
}
