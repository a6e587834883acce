import { Combobox } from '@base-ui/react/combobox';
import { Check } from 'lucide-react';
import type { ReactElement, RefObject } from 'react';
import { useTranslation } from '../../../i18n/translation.ts';
import popup from '../../overlays/popup.module.css';
import type { Option } from './options.ts';

export interface ComboboxPopupProps {
  /** The name of the list. */
  readonly label: string;
  /** The number of options left out of the list. */
  readonly left: number;
  readonly anchor?: RefObject<HTMLElement | null> | undefined;
}

/** Draws the list of a Combobox or a MultiCombobox. */
export function ComboboxPopup({ label, left, anchor }: ComboboxPopupProps): ReactElement {
  const { t } = useTranslation();
  return (
    <Combobox.Portal>
      <Combobox.Positioner sideOffset={2} collisionPadding={4} anchor={anchor}>
        <Combobox.Popup className={popup.popup}>
          <Combobox.Empty className={popup.note}>{t('design.noOptions')}</Combobox.Empty>
          <Combobox.List className={popup.list} aria-label={label}>
            {(option: Option) => (
              <Combobox.Item key={option.value} value={option} disabled={option.disabled} className={popup.item}>
                <span className={popup.mark}>
                  <Combobox.ItemIndicator>
                    <Check size={16} aria-hidden />
                  </Combobox.ItemIndicator>
                </span>
                <span className={popup.words}>{option.label}</span>
                {option.detail && <span className={popup.detail}>{option.detail}</span>}
              </Combobox.Item>
            )}
          </Combobox.List>
          <Combobox.Status className={popup.note}>
            {left > 0 ? t('design.moreOptions', { count: left }) : undefined}
          </Combobox.Status>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}
