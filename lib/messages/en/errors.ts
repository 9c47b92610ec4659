/** Titles of the error codes; the server's sentence stands below. */
export const errors = {
  INVALID_INPUT: 'Not understood',
  UNAUTHENTICATED: 'Not signed in',
  FORBIDDEN: 'Not allowed',
  NOT_FOUND: 'Not found',
  CONFLICT: 'It changed meanwhile',
  READ_ONLY_FORMAT: 'Not released from here',
  CAPABILITY_MISSING: 'Redis does not permit it',
  AUDIT_UNAVAILABLE: 'The audit cannot be written',
  STORE_UNAVAILABLE: 'The store is out of reach',
  TARGET_UNAVAILABLE: 'Redis is out of reach',
  TOO_MANY: 'Too many',
  INTERNAL: 'Something broke',
};
