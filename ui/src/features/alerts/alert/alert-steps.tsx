import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { IconButton } from '../../../design/controls/icon-button.tsx';
import { useTranslation } from '../../../i18n/translation.ts';
import { useKeys } from '../../../keys/commands.tsx';

export interface AlertStepsProps {
  readonly onNext: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
  readonly onClose: () => void;
}

/** Draws the ways from an alert to its neighbours, and back to the list. */
export function AlertSteps({ onNext, onPrevious, onClose }: AlertStepsProps) {
  const { t } = useTranslation();
  const [nextKeys, previousKeys, closeKeys] = [useKeys('next'), useKeys('previous'), useKeys('close')];
  return (
    <span>
      {onPrevious && (
        <IconButton
          small
          icon={ChevronUp}
          label={t('keys.commands.previous')}
          keys={previousKeys}
          onClick={onPrevious}
        />
      )}
      {onNext && (
        <IconButton small icon={ChevronDown} label={t('keys.commands.next')} keys={nextKeys} onClick={onNext} />
      )}
      <IconButton small icon={X} label={t('common.close')} keys={closeKeys} onClick={onClose} />
    </span>
  );
}
