import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import type { Coordination } from '../coordination/coordination.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { type Submission, submissionDocument } from '../documents/kinds/analysis/submission.ts';
import type { Log } from '../http/request-log.ts';
import { type Alerts, newRandomId } from './alerts-resource.ts';
import { ActionRunner, type ActionRunnerDependencies } from './completion/action-runner.ts';
import { CompletionWorker, type CompletionWorkerDependencies } from './completion/completion-worker.ts';
import { Resubmitter } from './completion/resubmitter.ts';
import { joinedTags } from './completion/section-tags.ts';
import { OutboundClient } from './outbound/outbound-client.ts';
import { isEmptyResultKey } from './result-views/empty-result.ts';
import type { SystemValues } from './system/system-values.ts';

export interface CompletionDependencies extends Pick<ActionRunnerDependencies, 'archive'> {
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly coordination: Pick<Coordination, 'queues' | 'locks' | 'tokens'>;
  readonly classification: ClassificationEngine;
  readonly values: SystemValues;
  readonly alerts: Pick<Alerts, 'alerter' | 'summaries'>;
  readonly dispatcher: { dispatch(submission: Submission): Promise<void> };
  readonly ended: CompletionWorkerDependencies['ended'];
  readonly settings: Pick<Settings, 'analysis'>;
  readonly log: Log;
}

/** Opens what follows an analysis: actions, and the worker that runs them. */
export function openCompletion(dependencies: CompletionDependencies) {
  const { datastore, coordination, classification, values, alerts, dispatcher, archive, log } = dependencies;
  const { queues, tokens } = coordination;
  const submissions = datastore.collection(submissionDocument);
  const dispatch = (submission: Submission) => dispatcher.dispatch(submission);
  const resubmitter = new Resubmitter({ submissions, dispatch, classification });
  const actions = new ActionRunner({
    values,
    queues,
    tokens,
    resubmit: (resubmission) => resubmitter.resubmit(resubmission),
    archive,
    tagsOf: async ({ results }) => {
      const keys = results.filter((key) => !isEmptyResultKey(key));
      return joinedTags((await alerts.summaries.results(keys)).values());
    },
    newId: newRandomId,
    log,
  });
  const { allowed_networks: allowedNetworks } = dependencies.settings.analysis.outbound;
  const worker = new CompletionWorker({
    coordination,
    submissions,
    actions,
    alerter: alerts.alerter,
    client: new OutboundClient({ allowedNetworks }),
    ended: dependencies.ended,
    log,
  });
  return { actions, worker };
}
