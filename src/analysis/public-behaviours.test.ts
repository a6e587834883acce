import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

/**
 * Behaviours that the suites of the public system name, and the tests of ours that show them.
 * Those are assemblyline-core, assemblyline-rust and assemblyline-service-server. A test is its file without `.test.ts`,
 * and its name.
 */
const SHOWN_BY: Readonly<Record<string, readonly (readonly [file: string, test: string])[]>> = {
  'duplicates: equal files share one analysis': [
    ['ingest/ingest-steps', 'park equal files behind the one that is analysed, and finish them with its score'],
    ['ingest/ingest-steps', 'keep files with other parameters apart from the one that is analysed'],
    ['ingest/ingest-routes', 'are analysed once, and each sender is notified'],
  ],
  'ingest retry': [
    ['ingest/ingest-upkeep', 'retry: a file that could not be submitted comes in again after four minutes'],
    ['ingest/ingest-steps', 'try again what could not be submitted, ten times, then give it up'],
  ],
  'ingest timeout': [
    ['ingest/ingest-upkeep', 'timeout: a submission without a result after two days is given up'],
    ['ingest/ingest-upkeep', 'finishes a completed submission whose message was missed'],
    ['ingest/ingest-upkeep', 'submits again what no dispatcher has at two looks in a row'],
  ],
  'size error, groups and dropping of files in bulk': [
    ['ingest/ingest-steps', 'drop with a notification what is too large, unimportant or too much'],
    ['submit/submission-params', 'begin with what the user stored for the profile'],
  ],
  'score exists': [
    ['ingest/ingest-steps', 'answer from a fresh score, and analyse again when it is stale or has to be ignored'],
  ],
  'stale score': [
    ['ingest/ingest-steps', 'answer from a fresh score, and analyse again when it is stale or has to be ignored'],
  ],
  'always create a submission': [
    [
      'ingest/ingest-steps',
      'always-create: a file with a fresh score gets a submission of its own with the earlier results',
    ],
  ],
  'retry of a task': [['dispatching/dispatcher-failures', 'retry: a recoverable error gives the task out again']],
  'timeout of a task': [
    ['dispatching/dispatcher-failures', 'timeout: a task that runs 5 seconds longer than allowed is given out again'],
  ],
  'crash recovery of a service': [
    ['dispatching/dispatcher-failures', 'timeout: a task that runs 5 seconds longer than allowed is given out again'],
  ],
  'crash recovery of the dispatcher': [
    ['dispatching/dispatcher-failures', 'crash recovery: continues without running a finished analyzer again'],
    [
      'dispatching/dispatcher-failures',
      'crash recovery: takes over what was waiting for room, and what was stored without a dispatcher',
    ],
    [
      'dispatching/progress/submission-machine',
      'ends after any sequence of events, regardless of what crashes, with each run counted once',
    ],
  ],
  'retry limit': [
    ['dispatching/dispatcher-failures', 'retry limit: the error after the third attempt says what happened'],
  ],
  'dropping early': [
    ['dispatching/dispatcher', 'filter: a dropped file passes no further stage, unless filtering is ignored'],
  ],
  'service error': [
    ['dispatching/dispatcher-failures', 'service error: the error of the service is recorded, and the rest continues'],
  ],
  'extracted file': [['dispatching/dispatcher', 'extracted and dynamic files pass the services after their parent']],
  'extracted dynamic file, and its bypass': [
    ['dispatching/dispatcher', 'extracted and dynamic files pass the services after their parent'],
    ['dispatching/dispatcher', 'ignores recursion prevention on request'],
  ],
  'depth limit': [['dispatching/dispatcher', 'depth limit: files below it are counted and reported, not processed']],
  'extraction limit in one file': [
    ['dispatching/dispatcher', 'extraction limit in one file: the submitted file and the allowed number are processed'],
  ],
  'extraction limit in several files': [
    ['dispatching/dispatcher', 'extraction limit in several files: the limit counts for the submission'],
  ],
  'cache of the ingester': [
    ['ingest/ingest-steps', 'answer from a fresh score, and analyse again when it is stale or has to be ignored'],
    ['ingest/filescore-key', 'depends on what changes results, and on nothing else'],
  ],
  'cache of services': [
    ['analysis-parts', 'reuse stored results'],
    ['results/result-intake', 'answers a task with the result that is stored, and renews it'],
    ['results/result-intake', 'does not answer for other parameters, nor when the cache is off'],
    ['service-protocol/service-protocol-server', 'answers tasks whose result is stored without a worker'],
  ],
  'queue clearing': [
    [
      'dispatching/dispatcher-failures',
      'queue clearing: tasks of a service that is switched off end with TASK PRE-EMPTED',
    ],
    ['dispatching/dispatcher-failures', 'queue clearing: tasks of a service that is removed end with TASK PRE-EMPTED'],
    [
      'dispatching/dispatcher-failures',
      'queue clearing: the lowest priorities beyond max_queue_length end with TASK PRE-EMPTED',
    ],
  ],
  'filter of an action': [
    ['actions-pipeline', 'filter: raises an alert for submissions of the submitter that it names'],
    ['completion/actions', 'judges a submission by every kind of field, and by its tags'],
  ],
  'tag filter of an action': [
    ['actions-pipeline', 'tag filter: raises an alert where a result has the tag'],
    ['completion/actions', 'judges a submission by every kind of field, and by its tags'],
  ],
  'tags for services that use them': [
    ['dispatching/dispatcher', 'tag filter: services get the tags of the file with added scores, if they use them'],
  ],
  webhook: [
    ['completion/webhook-sender', 'sends the payload with headers and credentials'],
    ['completion/webhook-sender', 'tries again, as often as the action says'],
    ['completion/action-runner', 'sends each webhook once, with the submission and its tags'],
  ],
  'partial result': [
    [
      'dispatching/progress/temporary-data',
      'partial: data that is not monitored, or did not change, makes no service run again',
    ],
  ],
  'monitored data': [
    [
      'dispatching/progress/temporary-data',
      'monitored data: a partial result is computed again when it changed, for every file',
    ],
  ],
  'final partial result': [
    [
      'dispatching/progress/temporary-data',
      'monitored data that changes while the service runs makes it run again after a partial result',
    ],
    ['dispatching/progress/temporary-data', 'final partial: a result that stays partial is the result'],
  ],
  'complex extracted file': [
    [
      'dispatching/progress/temporary-data',
      'complex extracted: the partial result of a child is computed again when a later stage finds the key',
    ],
  ],
  resubmit: [
    ['actions-pipeline', 'resubmit: analyses again with more services, and the alert says so until it is done'],
    [
      'completion/action-runner',
      'resubmits when that adds a service: always from a score on, below by chance, never below zero',
    ],
  ],
  'no overwriting of results': [
    [
      'results/result-intake',
      'takes another key when there is a result, the cache is ignored, or the result is partial',
    ],
  ],
  'schedule of services': [
    [
      'dispatching/progress/schedule',
      'has the enabled services of the type in their stages; an unknown stage is the last',
    ],
    [
      'dispatching/progress/schedule',
      'takes selected services and categories, adds rescan, leaves out excluded and forbidden ones',
    ],
    [
      'dispatching/progress/schedule',
      'leaves the service Safelist out for extracted files, unless something asks for it',
    ],
  ],
  'registration without the right': [
    ['services/service-registry', 'compares only, when the installation registers nothing by itself'],
    ['service-protocol/service-protocol-server', 'admits workers with the key, and says which header is missing'],
    [
      'service-protocol/service-protocol-server',
      'accepts the publicly known key on loopback alone, and then registers nothing by itself',
    ],
  ],
  'registration of a known service': [
    ['services/service-registry', 'leaves the changes of the installation alone where a version brings nothing new'],
    ['services/service-registry', 'adds new parameters and settings to those that the installation changed'],
  ],
  'registration of a bad service, or with bad heuristics': [
    ['services/service-registry', 'refuses manifests that are wrong, and stores nothing of them'],
    ['service-protocol/service-protocol-server', 'registers a service, and answers its configuration'],
  ],
  'registration of a new service': [
    ['services/service-registry', 'stores a new service, and tells its first worker to start again'],
    ['services/service-registry', 'tells exactly one of several workers that start together'],
  ],
  'registration of a new version': [['services/service-registry', 'keeps another version beside the one that runs']],
  'registration of new and of known heuristics': [
    ['services/service-registry', 'stores heuristics with their statistics, and says which are new or changed'],
    [
      'services/service-registry',
      'deletes heuristics that are gone, unless a result refers to them or another version runs',
    ],
  ],
  'tasks of a worker: none, given out, finished, failed, with missing files': [
    ['service-protocol/service-protocol-server', 'hands a task out, gives its file, and takes its result'],
    ['service-protocol/service-protocol-server', 'takes an error, and ignores what comes for a task that was replaced'],
    ['results/result-intake', 'asks for files that are missing, and stores nothing before they are there'],
    ['results/result-intake', 'stores a failure for good alone, and tells the dispatcher of any'],
  ],
  'files of a worker': [
    [
      'service-protocol/service-protocol-server',
      'refuses uploads that do not fit their headers, and keeps nothing of them',
    ],
  ],
  'lists for workers': [['service-protocol/service-protocol-server', 'looks values up in both lists']],
  'lists of administrators': [
    ['lists/list-service', 'merges sources, reasons, hashes and names, and keeps when something was listed first'],
    ['lists/list-service', 'refuses what cannot be listed, and stores nothing of a list with one such entry'],
    ['lists/list-service', 'loses no source when many add theirs at the same time'],
    ['lists/list-service', 'lowers domains and the hosts of URIs alone'],
  ],
  signatures: [
    ['signatures/signature-routes', 'keep what people decided when the text of a rule changes'],
    ['signatures/signature-routes', 'change the sources of a service, and its signatures with them'],
  ],
  alerts: [
    [
      'alerts/alerter',
      'merges a later message, regardless of what people did meanwhile, and asks workflows to look again',
    ],
    ['alerts/alerter', 'makes one alert of messages that come twice or at the same time, and none of what is deleted'],
  ],
  workflows: [
    [
      'workflows/workflow-runner',
      'triages alerts without a status, then decides, then labels; each change is an event',
    ],
    ['workflows/workflow-runner', 'leaves alone what has already what it would set, and runs once for each alert'],
  ],
  expiry: [
    ['expiry/expiry', 'deletes what expired, with the content of files, and keeps the rest'],
    ['expiry/expiry', 'keeps a file that is renewed while it is found, and content that another document needs'],
  ],
};

describe('behaviours that the suites of the public system name', () => {
  for (const [behaviour, tests] of Object.entries(SHOWN_BY)) {
    it(`${behaviour} is shown by a test of its own`, () => {
      for (const [file, name] of tests) {
        const text = readFileSync(join(import.meta.dirname, `${file}.test.ts`), 'utf8');
        assert.ok(text.includes(`it('${name}'`), `${file}.test.ts has no test '${name}'`);
      }
    });
  }
});
