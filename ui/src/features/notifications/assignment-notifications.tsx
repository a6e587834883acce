import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { quotedPhrase } from '../../../../src/datastore/query-language/written-values.ts';
import { live } from '../../api/live.ts';
import { signOf, visibleText } from '../../design/data/text/visible-text.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useSession } from '../../shell/session-context.tsx';
import { caseApi } from '../cases/case-api.ts';
import { tasksQuery } from '../cases/tasks-query.ts';
import { Announcements, type Assignment, assignmentOf } from './assignment.ts';
import { type CaseAssignment, CaseAssignments } from './case-assignment.ts';
import { mayNotify } from './permission.ts';

const MAX_TEXT = 200;
/** The clocks of server and browser may differ by this much, in milliseconds. */
const CLOCK_DIFFERENCE = 300_000;
/** Cases of the reader that are known before a frame tells of them. */
const MAX_CASES = 1_000;

/** Shows a notification of the desktop for each alert, case and task that others assign to the reader. */
export function AssignmentNotifications() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { username } = useSession().session;
  const showAlert = useEffectEvent(({ id, analytic, threat, by }: Assignment) =>
    notify(t('shell.notifications.assigned', { name: readable(by) }), [analytic, threat], id, () =>
      navigate({ to: '/alerts/$id', params: { id } }),
    ),
  );
  const showCase = useEffectEvent(({ id, title, task, by, mark }: CaseAssignment) => {
    const name = readable(by);
    const words =
      task === undefined ? t('shell.notifications.joined', { name }) : t('shell.notifications.task', { name });
    notify(words, [title, task], mark, () => navigate({ to: '/cases/$id', params: { id } }));
  });
  useEffect(() => {
    const announcements = new Announcements(Date.now() - CLOCK_DIFFERENCE);
    return live.on('hits', ({ hit }) => {
      const assignment = assignmentOf(hit, username);
      if (assignment !== undefined && announcements.isNew(assignment)) showAlert(assignment);
    });
  }, [username]);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const learn = () => knownCases(username, signal).catch(() => undefined);
    // Frames wait for it in their order.
    let cases = learn();
    // What was missed is on the home page; it is no news of now.
    const stopReconnects = live.on('reconnected', () => {
      cases = learn();
    });
    const stopFrames = live.on('cases', async (frame) => {
      for (const assignment of (await cases)?.changed(frame.case) ?? []) showCase(assignment);
    });
    return () => {
      leaving.abort();
      stopReconnects();
      stopFrames();
    };
  }, [username]);
  return null;
}

async function knownCases(username: string, signal: AbortSignal): Promise<CaseAssignments> {
  const query = `(${tasksQuery(username)}) OR participants:${quotedPhrase(username)}`;
  const page = await caseApi.search({ query, sort: 'updated desc', offset: 0, rows: MAX_CASES }, signal);
  const cases = new CaseAssignments(username);
  cases.note(page.items);
  return cases;
}

/** Windows of one browser show the same mark once. */
function notify(title: string, lines: readonly (string | undefined)[], mark: string, open: () => unknown): void {
  if (!mayNotify()) return;
  const body = lines.filter((line) => line !== undefined && line !== '').map((line) => readable(line ?? ''));
  const notification = new Notification(title, { body: body.join('\n'), tag: `triad.assigned.${mark}` });
  notification.addEventListener('click', () => {
    notification.close();
    window.focus();
    void open();
  });
}

/** Returns a value for a place where marks cannot be drawn: misleading characters are named. */
function readable(value: string): string {
  const { segments, hidden } = visibleText(value, { limit: MAX_TEXT });
  const words = segments.map((segment) => (segment.kind === 'text' ? segment.text : `[${signOf(segment)}]`));
  return words.join('') + (hidden > 0 ? ' …' : '');
}
