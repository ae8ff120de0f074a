//! Leases, reports and renewals, gathered into few statements.
