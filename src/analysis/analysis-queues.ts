import type { DescribedQueue } from '../coordination/measured-queues.ts';
import { ARCHIVE_QUEUE } from './archive/archiver.ts';
import { ALERT_QUEUE, WEBHOOK_QUEUE } from './completion/action-runner.ts';
import { COMPLETED_QUEUE } from './dispatching/completion-message.ts';
import { taskQueue } from './dispatching/task-pump.ts';
import { WAITING_QUEUE } from './dispatching/waiting-submissions.ts';
import { INCOMING_QUEUE } from './ingest/ingest-service.ts';
import { levelQueue } from './ingest/ingester.ts';
import { NOTIFICATION_QUEUES } from './ingest/notification-queues.ts';
import { LEVELS } from './ingest/sampling.ts';

/** The queues of the analysis service, for operators. */
export const ANALYSIS_QUEUES: readonly DescribedQueue[] = [
  { queue: INCOMING_QUEUE, description: 'Files that came in bulk and were not looked at yet.' },
  ...LEVELS.map((level) => ({
    queue: levelQueue(level),
    description: `Files that came in bulk, of the priority ${level}.`,
  })),
  { queue: WAITING_QUEUE, description: 'Submissions that no dispatcher has begun.' },
  { prefix: taskQueue(''), description: 'Tasks that wait for a worker of the analyzer.' },
  { queue: COMPLETED_QUEUE, description: 'Completed submissions whose actions did not run yet.' },
  { queue: ALERT_QUEUE, description: 'Completed submissions that alerts are made of.' },
  { queue: WEBHOOK_QUEUE, description: 'Requests to other servers after a submission.' },
  { queue: ARCHIVE_QUEUE, description: 'Submissions that are to be archived.' },
  { prefix: NOTIFICATION_QUEUES, description: 'Notifications that a submitter did not read yet.' },
];
