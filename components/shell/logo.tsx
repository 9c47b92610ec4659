/** The mark of the product; decorative beside its name. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="7.5" className="fill-accent" />
      <g className="stroke-on-accent" fill="none" strokeWidth="2.4" strokeLinecap="round">
        <path d="M11.6 14.2v-2.9a4.4 4.4 0 0 1 8.8 0v2.9" />
        <circle cx="16" cy="18.4" r="6.1" />
      </g>
      <circle cx="16" cy="18.4" r="2" className="fill-on-accent" />
    </svg>
  );
}
