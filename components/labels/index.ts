export { AlertCodeLabel } from './alert-code-label';
export { useAlertCodeOptions } from './alert-code-options';
export { alertHref } from './alert-href';
export { IDLE_CHANNELS_ID, targetHref } from './target-href';
export { AlertMarks } from './alert-marks';
export { ALERT_STATE_ICON, AlertStateBadge } from './alert-state';
export { END_TONE, EndReasonLabel } from './end-reason-label';
export { ErrorText } from './error-text';
export { EvidenceMark, Figure } from './evidence-mark';
export { FormatLabel, useFormatName } from './format-label';
export { KeyText } from './key-text';
export { lockHref, parseLockAddress } from './lock-href';
export { NoOwner } from './no-owner';
export { OwnerName } from './owner-name';
export { OwnerText } from './owner-text';
export { usePlaceText } from './place';
export { SeverityBadge, SeverityIcon } from './severity-badge';
export { isRareState, STATE_LOOK, StateBadge } from './state-badge';
export {
  ClockTime,
  Countdown,
  DurationText,
  Elapsed,
  TimeAgo,
  useClockText,
  useDurationText,
  useExactTimeText,
  useSecondsText,
} from './time';
export { useSaid } from './said';
export { WaitingText } from './waiting-text';
