== cancel
cancel: cancelled 20, cleaned 20, ended 20; 
cancel: cancelled 20, cleaned 20, ended 20; caller 20 leaf 20 
cancel: cancelled 20, cleaned 20, ended 20; caller 20 leaf 20 
== unwound
unwound: cancelled 20, cleaned 20, ended 20; 
unwound: cancelled 20, cleaned 20, ended 20; caller 20 leaf 20 
unwound: cancelled 20, cleaned 20, ended 20; caller 20 leaf 20 
