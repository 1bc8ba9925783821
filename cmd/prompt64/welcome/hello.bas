10 print "hello from prompt64"
20 goto 10
