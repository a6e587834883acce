import type { TestContext } from 'node:test';
import { AttackCatalogue } from '../../analysis/attack/attack-catalogue.ts';
import type { Task, TaskOutcome, TaskReceipt } from '../../analysis/dispatching/task.ts';
import { ResultIntake } from '../../analysis/results/result-intake.ts';
import { openEmbeddedDatastore } from '../../datastore/embedded/embedded-datastore.ts';
import { unrestricted } from '../../datastore/port/read-access.ts';
import { emptyResultDocument } from '../../documents/kinds/analysis/empty-result.ts';
import { errorDocument } from '../../documents/kinds/analysis/error.ts';
import { heuristicDocument } from '../../documents/kinds/analysis/heuristic.ts';
import { resultDocument } from '../../documents/kinds/analysis/result.ts';
import { readDocument } from '../../documents/schema/read-document.ts';
import { enforcedClassification as classification } from './enforced-classification.ts';

export const ACCESS = unrestricted('a test looks at what is stored');
export const NOW = Date.parse('2026-01-02T03:04:05Z');
/** The file of the task. */
export const SHA256 = 'a'.repeat(64);

const ATTACK = new AttackCatalogue(['T1027\tObfuscated\tdefense-evasion']);

/** A task of the service Mini. */
export function aTask(changes: Partial<Task> = {}): Task {
  return {
    task_id: '1',
    sid: 'sid',
    metadata: {},
    min_classification: 'TLP:C',
    fileinfo: {
      magic: 'ASCII text',
      md5: 'a'.repeat(32),
      sha1: 'a'.repeat(40),
      sha256: SHA256,
      size: 4,
      type: 'text/plain',
    },
    filename: 'a.txt',
    service_name: 'Mini',
    service_config: {},
    depth: 0,
    max_files: 500,
    ttl: 2,
    tags: [],
    temporary_submission_data: [],
    deep_scan: false,
    ignore_cache: false,
    ignore_recursion_prevention: false,
    ignore_filtering: false,
    priority: 100,
    safelist_config: { enabled: false, hash_types: ['sha1', 'sha256'], enforce_safelist_service: false },
    dispatcher: 'dispatcher',
    dispatcher_address: 'here',
    ...changes,
  };
}

/** Result of the service Mini for the task. */
export function sentResult({ response, ...changes }: { readonly response?: object } & Record<string, unknown> = {}) {
  return {
    classification: 'TLP:C',
    response: {
      milestones: { service_started: '2026-01-02T03:04:04Z', service_completed: '2026-01-02T03:04:05Z' },
      service_name: 'Mini',
      service_version: '4.7.4.25',
      service_tool_version: null,
      supplementary: [],
      extracted: [],
      ...response,
    },
    result: { score: 0, sections: [] },
    sha256: SHA256,
    type: 'text/plain',
    size: 4,
    drop_file: false,
    partial: false,
    temp_submission_data: {},
    ...changes,
  };
}

/** Opens an intake on an embedded datastore, with the heuristics MINI.1 and the classified MINI.2. */
export async function openIntake(context: TestContext, { now }: { readonly now: number }) {
  const datastore = await openEmbeddedDatastore({ folder: 'memory', prefix: 'intake' });
  context.after(() => datastore.close());
  const heuristics = datastore.collection(heuristicDocument);
  for (const [number, marking] of [
    [1, 'TLP:C'],
    [2, 'TLP:A'],
  ] as const) {
    const input = {
      heur_id: `MINI.${number}`,
      name: 'Evil',
      description: 'Holds EVIL.',
      filetype: '*',
      score: 500,
      classification: marking,
    };
    const { document } = readDocument(heuristicDocument, input, { unknown: 'refuse', classification });
    await heuristics.save(document.heur_id, document);
  }
  const [results, emptyResults, errors] = [
    datastore.collection(resultDocument),
    datastore.collection(emptyResultDocument),
    datastore.collection(errorDocument),
  ];
  const known = new Set([SHA256]);
  const freshened: Record<string, unknown>[] = [];
  const outcomes: TaskOutcome[] = [];
  const receipts: TaskReceipt[] = [];
  const intake = new ResultIntake({
    results,
    emptyResults,
    errors,
    heuristics,
    files: {
      exists: async (sha256) => known.has(sha256),
      async freshen(sha256, { expiry, isSupplementary, isSectionImage }) {
        if (!known.has(sha256)) return false;
        freshened.push({ sha256, expiry, isSupplementary, isSectionImage });
        return true;
      },
    },
    safelist: {
      view: async () => ({
        isSafeTag: (_type, value) => value === 'safe.example',
        isSafeSignature: (name) => name === 'safe',
      }),
    },
    dispatcher: {
      async finish(receipt, outcome) {
        receipts.push(receipt);
        outcomes.push(outcome);
        return 'accepted';
      },
    },
    attack: ATTACK,
    classification,
    settings: { emptyresult_dtl: 5, max_temp_data_length: 4096 },
    log: { info() {}, warn() {}, error() {} },
    now: () => now,
  });
  return { intake, results, emptyResults, errors, heuristics, known, freshened, outcomes, receipts };
}
