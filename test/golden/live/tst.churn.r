--live: memory levels off
--serve: memory levels off
--live: every end and every call counted
--serve: every end and every call counted
losses: none
