import { useTranslation } from '../../../i18n/translation.ts';

/** The title of the view that the program makes for each user. */
const ASSIGNED_TO_ME = 'view.assigned_to_me';

/** Returns what people read as the title of a view. */
export function useViewTitle(): (view: { readonly title: string }) => string {
  const { t } = useTranslation();
  return ({ title }) => (title === ASSIGNED_TO_ME ? t('views.assignedToMe') : title);
}
