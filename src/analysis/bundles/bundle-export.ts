import { pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Collection } from '../../datastore/port/collection.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { type AnalysisAlert, alertDocument } from '../../documents/kinds/analysis/alert.ts';
import { errorDocument } from '../../documents/kinds/analysis/error.ts';
import { type FileRecord, fileDocument } from '../../documents/kinds/analysis/file.ts';
import { type Result, resultDocument } from '../../documents/kinds/analysis/result.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { formatDate } from '../../documents/schema/values/date-values.ts';
import { Forbidden, isTriadError } from '../../errors/errors.ts';
import type { FileStorage } from '../../file-storage/file-storage.ts';
import type { Actor } from '../../identity/actor.ts';
import { sortedJson } from '../../json/sorted-json.ts';
import { packCart } from '../formats/cart.ts';
import type { ClearedReader } from '../result-views/cleared-reader.ts';
import { emptyResult, fileOfKey } from '../result-views/empty-result.ts';
import { visibleContent } from '../result-views/format-result.ts';
import type { DerivedDocuments } from '../submissions/derived-documents.ts';
import { treeNodes } from '../submissions/file-tree.ts';
import type { OpenedSubmission, SubmissionContents } from '../submissions/submission-contents.ts';
import { submissionView } from '../submissions/submission-view.ts';

export interface BundleExportDependencies {
  readonly contents: SubmissionContents;
  readonly derived: DerivedDocuments;
  readonly alerts: Collection<AnalysisAlert>;
  readonly files: Collection<FileRecord>;
  readonly storage: FileStorage;
  readonly classification: ClassificationEngine;
  /** Name of this installation in bundles. */
  readonly system: string;
  readonly emptyResultDays: number;
  readonly now?: () => Date;
}

/** Type that the CaRT of a bundle states for its content. */
export const BUNDLE_KIND = 'archive/bundle/al';
/** Member of a bundle with all documents. */
export const RESULTS_MEMBER = 'results.json';

const EVERY_PART = unrestricted('the contents of a bundle are filtered for the caller who exports it');

/** Packs submissions with their files, results and errors into bundles, as the caller may see them. */
export class BundleExport {
  readonly #dependencies: BundleExportDependencies;

  constructor(dependencies: BundleExportDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws Forbidden `submission_not_visible`, also for one that does not exist, as the public system */
  async ofSubmission(actor: Actor, sid: string): Promise<AsyncIterable<Uint8Array>> {
    const opened = await this.#open(actor, sid);
    if (opened === undefined) throw notAllowed('submission');
    return this.#packed(sid, await this.#contentsOf(opened));
  }

  /** @throws Forbidden `alert_not_visible`, also for one that does not exist */
  async ofAlert(actor: Actor, id: string): Promise<AsyncIterable<Uint8Array>> {
    const { alerts, classification } = this.#dependencies;
    const stored = await alerts.get(id, EVERY_PART);
    const isVisible = stored && classification.isAccessible(actor.classification, stored.classification, true);
    if (stored === undefined || !isVisible) throw notAllowed('alert');
    const alert = toOutput(alertDocument, stored);
    const opened = await this.#open(actor, stored.sid);
    const contents = opened === undefined ? NO_CONTENTS : await this.#contentsOf(opened);
    const marked = { ...alert, metadata: this.#marked(alert.metadata, alert.classification) };
    return this.#packed(stored.sid, { ...contents, documents: { ...contents.documents, alert: marked } });
  }

  async #open(actor: Actor, sid: string): Promise<OpenedSubmission | undefined> {
    try {
      return await this.#dependencies.contents.open(actor, sid);
    } catch (error) {
      if (isTriadError(error) && (error.kind === 'not_found' || error.kind === 'forbidden')) return undefined;
      throw error;
    }
  }

  async #contentsOf(opened: OpenedSubmission): Promise<BundleContents> {
    const { files: collection, derived } = this.#dependencies;
    const { submission, reader } = opened;
    const { tree } = await derived.tree(opened);
    const { files } = await opened.contents();
    const keys = await opened.visibleKeys(submission.results);
    const { results, missing, supplementary } = await this.#results(opened, keys);
    const { errors, missing: missingErrors } = await opened.errors();
    const listed = [
      ...new Set([...[...treeNodes(tree)].map(({ sha256 }) => sha256), ...keys.flatMap((key) => fileOfKey(key) ?? [])]),
    ];
    const added = supplementary.filter((sha256) => !listed.includes(sha256));
    const others = await collection.getMany(added, EVERY_PART);
    const infos = [...listed.map((sha256) => files.get(sha256)), ...others].filter(
      (file) => file !== undefined && reader.sees(file.classification),
    );
    const view = submissionView(submission);
    const errorKeys = [...errors.keys(), ...missingErrors];
    const shown = {
      ...view,
      ...{ results: keys, errors: errorKeys, error_count: errorKeys.length },
      metadata: this.#marked(submission.metadata, submission.classification),
    };
    return {
      hashes: infos.flatMap((file) => file?.sha256 ?? []),
      documents: {
        submission: shown,
        files: {
          list: listed,
          tree,
          infos: Object.fromEntries(
            infos.flatMap((file) => (file ? [[file.sha256, toOutput(fileDocument, file)]] : [])),
          ),
        },
        results: { results: Object.fromEntries(results), missing_result_keys: missing },
        errors: {
          errors: Object.fromEntries([...errors].map(([key, error]) => [key, toOutput(errorDocument, error)])),
          missing_error_keys: missingErrors,
        },
      },
    };
  }

  async #results(opened: OpenedSubmission, keys: readonly string[]) {
    const { reader } = opened;
    const { files, results: stored } = await opened.contents();
    const { emptyResultDays: days, now = () => new Date() } = this.#dependencies;
    const results = new Map<string, unknown>();
    const missing: string[] = [];
    const supplementary = new Set<string>();
    for (const key of keys) {
      const result = stored.get(key);
      const file = files.get(fileOfKey(key) ?? '');
      const empty = emptyResult(key, { now: now(), days, unrestricted: reader.unrestricted });
      if (empty !== undefined) results.set(key, empty);
      else if (result === undefined || file === undefined) missing.push(key);
      else {
        const visible = visibleResult(result, file, reader);
        results.set(key, toOutput(resultDocument, visible));
        for (const { sha256 } of visible.response.supplementary) supplementary.add(sha256);
      }
    }
    return { results, missing, supplementary: [...supplementary] };
  }

  /** Returns metadata that says where and when the bundle was made, unless an earlier bundle says so. */
  #marked(metadata: Readonly<Record<string, string>>, classification: string): Readonly<Record<string, string>> {
    const { system, classification: engine, now = () => new Date() } = this.#dependencies;
    return {
      'bundle.source': system,
      'bundle.created': formatDate(now()),
      ...(engine.enforce ? { 'bundle.classification': classification } : {}),
      ...metadata,
    };
  }

  #packed(sid: string, contents: BundleContents): AsyncIterable<Uint8Array> {
    const archive = pack();
    const compressed = createGzip();
    pipeline(archive, compressed, () => undefined);
    this.#fill(archive, contents).catch((error: Error) => archive.destroy(error));
    return packCart(compressed, { al: { type: BUNDLE_KIND }, name: `${sid}.tgz` });
  }

  async #fill(archive: ReturnType<typeof pack>, { hashes, documents }: BundleContents): Promise<void> {
    for (const sha256 of hashes) {
      const opened = await this.#dependencies.storage.open(sha256).catch((error: unknown) => {
        if (isTriadError(error) && error.code === 'file_missing') return undefined;
        throw error;
      });
      if (opened === undefined) continue;
      const { stream, size } = opened;
      await new Promise<void>((resolve, reject) => {
        const entry = archive.entry({ name: sha256, size }, (error) => (error ? reject(error) : resolve()));
        pipeline(stream, entry, (error) => error && reject(error));
      });
    }
    await new Promise<void>((resolve, reject) => {
      archive.entry({ name: RESULTS_MEMBER }, sortedJson(documents), (error) => (error ? reject(error) : resolve()));
    });
    archive.finalize();
  }
}

interface BundleContents {
  /** Files whose bytes go into the bundle. */
  readonly hashes: readonly string[];
  readonly documents: Readonly<Record<string, unknown>>;
}

const NO_CONTENTS: BundleContents = { hashes: [], documents: {} };

/** Returns a result in its stored form without what the reader may not see. */
function visibleResult(result: Result, file: FileRecord, reader: ClearedReader): Result {
  const { sections, score, extracted, supplementary } = visibleContent(result, file.classification, reader);
  return {
    ...result,
    classification: reader.sees(result.classification)
      ? result.classification
      : reader.top(
          sections.map(({ classification }) => classification),
          file.classification,
        ),
    response: {
      ...result.response,
      extracted: [...extracted],
      supplementary: [...supplementary],
    } as Result['response'],
    result: { score, sections: sections.map(({ section }) => section) } as Result['result'],
  };
}

function notAllowed(kind: 'submission' | 'alert'): Forbidden {
  const message = `You are not allowed create a bundle for this ${kind}...`;
  return kind === 'alert'
    ? new Forbidden('alert_not_visible', message)
    : new Forbidden('submission_not_visible', message);
}
