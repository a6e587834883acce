import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Settings } from '../../config/config-schema.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import type { Datastore } from '../../datastore/port/datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { emptyResultDocument } from '../../documents/kinds/analysis/empty-result.ts';
import { errorDocument } from '../../documents/kinds/analysis/error.ts';
import type { FileRecord } from '../../documents/kinds/analysis/file.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { Log } from '../../http/request-log.ts';
import { classifiedCollection } from '../../identity/accounts/classified-collection.ts';
import { attackCatalogue } from '../attack/attack-catalogue.ts';
import type { AnalysisFiles } from '../files/analysis-files.ts';
import type { ResultFiles } from './result-files.ts';
import { ResultIntake, type ResultIntakeDependencies } from './result-intake.ts';

export interface ResultsDependencies extends Pick<ResultIntakeDependencies, 'heuristics' | 'safelist' | 'dispatcher'> {
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly files: Pick<AnalysisFiles, 'freshen'>;
  readonly fileRecords: Pick<Collection<FileRecord>, 'get'>;
  readonly storage: Pick<FileStorage, 'stat'>;
  readonly classification: ClassificationEngine;
  readonly settings: Pick<Settings, 'analysis'>;
  readonly log: Log;
}

const ACCESS = unrestricted('whether a file is there does not depend on who may see it');

/** Opens what takes the results of analyzers in. */
export function openResults(dependencies: ResultsDependencies): ResultIntake {
  const { datastore, classification, settings, log, heuristics, safelist, dispatcher } = dependencies;
  return new ResultIntake({
    results: classifiedCollection(datastore.collection(resultDocument), resultDocument, classification),
    emptyResults: datastore.collection(emptyResultDocument),
    errors: datastore.collection(errorDocument),
    heuristics,
    files: resultFiles(dependencies),
    safelist,
    dispatcher,
    attack: attackCatalogue(),
    classification,
    settings: settings.analysis.submission,
    log,
  });
}

function resultFiles({ files, fileRecords, storage }: ResultsDependencies): ResultFiles {
  return {
    freshen: (sha256, options) => files.freshen(sha256, options),
    async exists(sha256) {
      const [bytes, document] = await Promise.all([storage.stat(sha256), fileRecords.get(sha256, ACCESS)]);
      return bytes !== undefined && document !== undefined;
    },
  };
}
