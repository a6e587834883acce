import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { live } from '../../api/live.ts';
import { signOf, visibleText } from '../../design/data/text/visible-text.ts';
import { useTranslation } from '../../i18n/translation.ts';
import { useSession } from '../../shell/session-context.tsx';
import { Announcements, type Assignment, assignmentOf } from './assignment.ts';
import { mayNotify } from './permission.ts';

const MAX_TEXT = 200;
/** The clocks of server and browser may differ by this much, in milliseconds. */
const CLOCK_DIFFERENCE = 300_000;

/** Shows a notification of the desktop for each alert that another person assigns to the reader. */
export function AssignmentNotifications() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { username } = useSession().session;
  const show = useEffectEvent(({ id, analytic, threat, by }: Assignment) => {
    if (!mayNotify()) return;
    const body = [analytic, threat].filter((part) => part !== undefined).map(readable);
    // Windows of one browser show the same alert once.
    const notification = new Notification(t('shell.notifications.assigned', { name: readable(by) }), {
      body: body.join('\n'),
      tag: `triad.assigned.${id}`,
    });
    notification.addEventListener('click', () => {
      notification.close();
      window.focus();
      void navigate({ to: '/alerts/$id', params: { id } });
    });
  });
  useEffect(() => {
    const announcements = new Announcements(Date.now() - CLOCK_DIFFERENCE);
    return live.on('hits', ({ hit }) => {
      const assignment = assignmentOf(hit, username);
      if (assignment !== undefined && announcements.isNew(assignment)) show(assignment);
    });
  }, [username]);
  return null;
}

/** Returns a value for a place where marks cannot be drawn: misleading characters are named. */
function readable(value: string): string {
  const { segments, hidden } = visibleText(value, { limit: MAX_TEXT });
  const words = segments.map((segment) => (segment.kind === 'text' ? segment.text : `[${signOf(segment)}]`));
  return words.join('') + (hidden > 0 ? ' …' : '');
}
